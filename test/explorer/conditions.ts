import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../lib/bundle/root.ts';

/** The conditions of writes, and the files with one of them weakened so that it always holds. */

export type Condition = {
  /** The file and the text of the condition, which outlive other changes of the file. */
  readonly name: string;
  readonly file: string;
  readonly domain: string;
  /** The text of the file in which it always holds. */
  readonly weakened: string;
};

const always = 'attribute_not_exists(zzNone)';

/** Of all writes in functions/, lib/runtime and lib/contract. */
export function conditions(): Condition[] {
  const files = globSync(['functions/*/**/*.ts', 'lib/{runtime,contract}/**/*.ts'], { cwd: root }).toSorted();
  return files.flatMap((file) => conditionsIn(file, readFileSync(join(root, file), 'utf8')));
}

/** Each is judged where it is used, and not where it is made. */
const named = 'lib/runtime/conditions.ts';

/** @param text of the file: each property `ConditionExpression`, with a value or without, and each condition by its name (`ifAbsent(…)`) */
export function conditionsIn(file: string, text: string): Condition[] {
  const seen = new Map<string, number>();
  const found = ({ value, from, end, weak }: { value: string; from: number; end: number; weak: string }) => {
    const shown = value.replaceAll(/\s+/g, ' ').replace(/^(['`])(.*)\1$/, '$2');
    const times = (seen.get(shown) ?? 0) + 1;
    seen.set(shown, times);
    return {
      name: `${file}: ${shown}${times > 1 ? ` (${times})` : ''}`,
      file,
      domain: /^functions\/([^/]+)\//.exec(file)?.[1] ?? 'shared',
      weakened: `${text.slice(0, from)}${weak}${text.slice(end)}`,
    };
  };
  if (file === named) return [];
  const byName = [...text.matchAll(/(?<![\w.])if(Absent|AsRead|Unchanged|Revision|Still|ChangeIs)\(/g)].map(
    ({ index, 0: call }) => {
      const end = endOfCall(text, index + call.length);
      const value = text.slice(index, end);
      const weak = `((made) => ({ ...made, ConditionExpression: '(' + made.ConditionExpression + ') OR ${always}' }))(${value})`;
      return found({ value, from: index, end, weak });
    },
  );
  const byHand = [...text.matchAll(/(?<![\w.]|const )ConditionExpression(?=\s*[:,}])/g)].flatMap(
    ({ index, 0: key }) => {
      const from = index + key.length;
      const colon = /^\s*:\s*/.exec(text.slice(from))?.[0];
      const end = colon === undefined ? from : endOfValue(text, from + colon.length);
      const value = colon === undefined ? key : text.slice(from + colon.length, end);
      // A type, as in the declaration of a parameter.
      if (/^string\b/.test(value)) return [];
      return [found({ value, from: index, end, weak: `${key}: '(' + (${value}) + ') OR ${always}'` })];
    },
  );
  return [...byName, ...byHand];
}

/** @param from within its brackets @returns where they end */
function endOfCall(text: string, from: number): number {
  const end = endOfValue(text, from);
  const closing = text.indexOf(')', end);
  const comma = text.indexOf(',', end);
  return comma >= 0 && comma < closing ? endOfCall(text, comma + 1) : closing + 1;
}

/** @returns where the value ends that begins there: at a comma or a bracket of what is around it */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at] ?? '';
    if (letter === "'" || letter === '`') at = text.indexOf(letter, at + 1);
    else if ('([{'.includes(letter)) depth += 1;
    else if (')]}'.includes(letter) || letter === ',') {
      if (depth === 0) return text.slice(0, at).trimEnd().length;
      if (letter !== ',') depth -= 1;
    }
  }
  throw new Error('a value without an end');
}
