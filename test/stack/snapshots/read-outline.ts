import { type Commons, noCommons, wholeOf } from './commons.ts';
import { isObject, type Json } from './json.ts';
import { fromLeaves, leavesOf, put } from './leaves.ts';
import { words } from './outline.ts';
import { type Parts, typeOf } from './parts.ts';
import { pathForm, pathOf } from './paths.ts';

/** A line with those that belong to it. */
export type Line = { readonly text: string; readonly below: readonly Line[] };

/** By their indentation. */
export function linesOf(written: string): Line[] {
  const top: Line[] = [];
  const above = [{ below: top, indent: -1 }];
  for (const each of written.split('\n')) {
    const text = each.trimStart();
    if (text === '' || text.startsWith('#')) continue;
    const below: Line[] = [];
    const indent = each.length - text.length;
    while ((above.at(-1)?.indent ?? -1) >= indent) above.pop();
    above.at(-1)?.below.push({ text, below });
    above.push({ below, indent });
  }
  return top;
}

/** The inverse of `writeParts`. */
export function readParts(lines: readonly Line[]): Parts {
  const commons = new Map<string, Commons>();
  const parts = new Map<string, Json>();
  for (const { text, below } of lines) {
    const [, part = '', rest = ''] = /^(\S+ [\w-]+(?:::\w+)*) ?(.*)$/s.exec(text) ?? [];
    const type = typeOf(part);
    const whole = readWhole(rest, below);
    const members = whole === undefined ? membersOf(rest, below) : [];
    const leaves = leavesOf(whole ?? treeOf(members));
    const marked = (mark: string) =>
      new Map(members.flatMap((each) => (each.mark === mark ? [[each.path, each.value as Json[]] as const] : [])));
    if (part.startsWith(`${words.every} `)) commons.set(type, { leaves, beginnings: marked(words.begins) });
    else if (whole !== undefined && !isObject(whole)) parts.set(part, whole);
    else {
      const own = { leaves, continued: marked(words.goesOn), absent: [...marked(words.none).keys()] };
      parts.set(part, fromLeaves(wholeOf(own, commons.get(type) ?? noCommons)));
    }
  }
  return parts;
}

/** A part that is written as one value. */
function readWhole(rest: string, below: readonly Line[]): Json | undefined {
  if (rest.startsWith(': ')) return JSON.parse(rest.slice(2)) as Json;
  return rest === ':' && /^[|-]/.test(below[0]?.text ?? '') ? readValue(undefined, below) : undefined;
}

/** @param rest what stands behind the part's name: nothing, a colon or the part's only member */
function membersOf(rest: string, below: readonly Line[]): Member[] {
  if (rest === '') return [];
  return rest === ':' ? below.map(readMember) : [readMember({ text: rest, below })];
}

type Member = { readonly path: string; readonly mark: string; readonly value: Json };

const member = new RegExp(`^(${pathForm})(${words.goesOn}|${words.begins})?:(?: (.*))?$`, 's');

function readMember({ text, below }: Line): Member {
  const [, path = '', mark = '', rest] = member.exec(text) ?? [];
  if (rest === words.none) return { path, mark: words.none, value: null };
  return { path, mark, value: readValue(rest, below) };
}

function readValue(text: string | undefined, below: readonly Line[]): Json {
  if (text !== undefined) return JSON.parse(text) as Json;
  if (below[0]?.text.startsWith('|')) return below.map((line) => JSON.parse(line.text.slice(2)) as string).join('');
  if (/^-( |$)/.test(below[0]?.text ?? '')) return below.flatMap(readItems);
  return treeOf(below.map(readMember));
}

function readItems({ text, below }: Line): Json[] {
  return text === '-' ? [readValue(undefined, below)] : (JSON.parse(`[${text.slice(2)}]`) as Json[]);
}

/** @returns by the first step of their paths; one that is `none` is left out */
export function readMembers(below: readonly Line[]): Readonly<Record<string, Json>> {
  return treeOf(below.map(readMember)) as Record<string, Json>;
}

function treeOf(members: readonly Member[]): Json {
  const unmarked = members.filter(({ mark }) => mark === '');
  return unmarked.reduce<Json>((tree, { path, value }) => put(tree, pathOf(path), value), {});
}
