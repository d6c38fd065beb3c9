import { type Commons, commonsOf, noCommons, ownOf } from './commons.ts';
import { isArray, isObject, type Json } from './json.ts';
import { fromLeaves, type Leaves, leavesOf } from './leaves.ts';
import { type Parts, typeOf } from './parts.ts';
import { pathText } from './paths.ts';

/**
 * Parts as lines: a part, or what it has beside its type's commons, is one line if that fits. Else each key, each item of a
 * list is a line of its own, below it and further in, and so on. `read-outline.ts` reads them back.
 */
export const widest = 400;
export const words = { every: 'every', none: 'none', begins: ' begins', goesOn: ' goes on' } as const;
const item = '-';
const takesPath = /(?<! begins| goes on):$/;

/** First what every part of a type has, then each part. */
export function writeParts(parts: Parts): string[] {
  const objects = [...parts].filter(([, value]) => isObject(value));
  const leaves = new Map(objects.map(([part, value]) => [part, leavesOf(value)]));
  const commons = commonsOf(leaves);
  return [
    ...[...commons].flatMap(([type, common]) => writeCommons(type, common)),
    ...[...parts].flatMap(([part, value]) => {
      const own = leaves.get(part);
      return own ? writePart(part, own, commons.get(typeOf(part)) ?? noCommons) : writeValue(`${part}:`, value, '');
    }),
  ];
}

function writeCommons(type: string, { leaves, beginnings }: Commons): string[] {
  const lines = [
    ...[...leaves].flatMap(([path, leaf]) => writeValue(`${path}:`, leaf, ' ')),
    ...[...beginnings].flatMap(([path, items]) => writeValue(`${path}${words.begins}:`, items, ' ')),
  ];
  return lines.length > 0 ? [`${words.every} ${type}:`, ...lines] : [];
}

function writePart(part: string, all: Leaves, commons: Commons): string[] {
  const { leaves, continued, absent } = ownOf(all, commons);
  const own = fromLeaves(leaves);
  const whole = `${part}: ${JSON.stringify(own)}`;
  const marked = [
    ...absent.map((path) => ` ${path}: ${words.none}`),
    ...[...continued].flatMap(([path, items]) => writeValue(`${path}${words.goesOn}:`, items, ' ')),
  ];
  if (marked.length === 0 && leaves.size === 0) return [part];
  if (marked.length === 0 && whole.length <= widest) return [whole];
  const lines = [...marked, ...members(own, ' ')];
  const [first = '', ...deeper] = lines;
  // Of a single member the first line stands behind the part's name.
  const isOne = deeper.every((line) => line.startsWith('  '));
  return isOne && part.length + first.length <= widest ? [part + first, ...deeper] : [`${part}:`, ...lines];
}

function members(value: Json, indent: string): string[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => writeValue(`${pathText([key])}:`, inner, indent));
}

/**
 * On one line if it fits. The keys to the only member of an object, or to the only object of a list, are one path.
 *
 * @param label a path and a colon, or `-` of a list's item
 */
export function writeValue(label: string, value: Json, indent: string): string[] {
  const inner = isArray(value) && value.length === 1 ? value[0] : value;
  const [[key, only] = ['', null], ...others] = isObject(inner) ? Object.entries(inner) : [];
  if (isObject(inner) && key !== '' && takesPath.test(label)) {
    const path = `${label.slice(0, -1)}${inner === value ? '' : '[0]'}`;
    if (others.length === 0) return writeValue(`${path}.${pathText([key])}:`, only, indent);
    if (!fits(label, value, indent)) return [`${indent}${path}:`, ...members(inner, `${indent} `)];
  }
  if (fits(label, value, indent)) return [`${indent}${label} ${JSON.stringify(value)}`];
  if (typeof value === 'string') return [indent + label, ...writePieces(value, `${indent} `)];
  if (isArray(value)) return [indent + label, ...groups(value).flatMap((items) => writeItems(items, `${indent} `))];
  return [indent + label, ...members(value, `${indent} `)];
}

/** What has nothing inside cannot be broken. */
function fits(label: string, value: Json, indent: string): boolean {
  const isWhole = typeof value === 'string' ? value === '' : Object.keys(value ?? {}).length === 0;
  return isWhole || `${indent}${label} ${JSON.stringify(value)}`.length <= widest;
}

function writeItems(items: readonly Json[], indent: string): string[] {
  const line = `${indent}${item} ${items.map((each) => JSON.stringify(each)).join(', ')}`;
  return line.length <= widest ? [line] : items.flatMap((each) => writeValue(item, each, indent));
}

/** Of a dashboard's metrics one that begins with `...`, and is the one before but for its statistic, stands on the same line. */
function groups(items: readonly Json[]): Json[][] {
  const all: Json[][] = [];
  for (const each of items) {
    if (isArray(each) && each[0] === '...') all.at(-1)?.push(each);
    else all.push([each]);
  }
  return all;
}

/** A long text is broken before commas (a new last item is then one line), behind sentences, and where none of them is. */
function writePieces(text: string, indent: string): string[] {
  const longest = new RegExp(`.{1,${widest / 2}}`, 'gs');
  return text
    .split(/(?=,)|(?<=\. )/)
    .flatMap((piece) => piece.match(longest) ?? [])
    .map((piece) => `${indent}| ${JSON.stringify(piece)}`);
}
