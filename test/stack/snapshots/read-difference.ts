import type { Change, Difference, Rule } from './difference.ts';
import type { Json } from './json.ts';
import { words } from './outline.ts';
import { type Parts, typeOf } from './parts.ts';
import { pathForm, pathOf } from './paths.ts';
import { type Line, linesOf, readMembers, readParts } from './read-outline.ts';
import { said } from './write-difference.ts';

/** The inverse of `writeDifference`. */
export function readDifference(text: string): Difference {
  const rules: Rule[] = [];
  const changes = new Map<string, Change[]>();
  const missing: string[] = [];
  let only: Parts = new Map();
  for (const line of linesOf(text)) {
    if (line.text === said.only) only = readParts(line.below);
    else if (line.text.startsWith(`${said.missing} `)) missing.push(line.text.slice(said.missing.length + 1));
    else {
      const { part, change } = readChange(line);
      if (part.startsWith(`${words.every} `)) rules.push({ type: typeOf(part), ...change });
      else changes.set(part, [...(changes.get(part) ?? []), change]);
    }
  }
  return { rules, changes, missing, only };
}

const change = new RegExp(`^(${pathForm}):(?: (.*))?$`, 's');

function readChange({ text, below }: Line): { part: string; change: Change } {
  const [, part = '', rest = ''] = /^(\S+ [\w-]+(?:::\w+)*) ?(.*)$/s.exec(text) ?? [];
  const [, path = '', values] = change.exec(rest) ?? [];
  const [before, after] = values === undefined ? sidesBelow(below) : sidesOf(values);
  return {
    part,
    change: { path: pathOf(path), ...(before !== undefined && { before }), ...(after !== undefined && { after }) },
  };
}

type Sides = readonly [before: Json | undefined, after: Json | undefined];

function sidesBelow(below: readonly Line[]): Sides {
  const sides = readMembers(below);
  return [sides[said.before], sides[said.after]];
}

/** A text of the values can have an arrow, too. */
function sidesOf(values: string): Sides {
  for (let at = values.indexOf(said.arrow); at >= 0; at = values.indexOf(said.arrow, at + 1)) {
    try {
      return [sideOf(values.slice(0, at)), sideOf(values.slice(at + said.arrow.length))];
    } catch {
      // The arrow was inside of a text.
    }
  }
  throw new Error(`no two values: ${values}`);
}

function sideOf(text: string): Json | undefined {
  return text === words.none ? undefined : (JSON.parse(text) as Json);
}
