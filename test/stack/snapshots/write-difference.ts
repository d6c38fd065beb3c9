import type { Change, Difference } from './difference.ts';
import type { Json } from './json.ts';
import { widest, words, writeParts, writeValue } from './outline.ts';
import { pathText } from './paths.ts';

export const said = {
  arrow: ' -> ',
  before: 'before',
  after: 'after',
  missing: 'missing',
  only: 'only here:',
} as const;

/** First what changes in every part of a type, then each change with its path and both values, then whole parts. */
export function writeDifference({ rules, changes, missing, only }: Difference): string[] {
  return [
    ...rules.flatMap((rule) => writeChange(`${words.every} ${rule.type}`, rule)),
    ...[...changes].flatMap(([part, all]) => all.flatMap((change) => writeChange(part, change))),
    ...missing.map((part) => `${said.missing} ${part}`),
    ...(only.size > 0 ? [said.only, ...writeParts(only).map((line) => ` ${line}`)] : []),
  ];
}

function writeChange(part: string, { path, before, after }: Change): string[] {
  const label = `${[part, ...(path.length > 0 ? [pathText(path)] : [])].join(' ')}:`;
  const line = `${label} ${textOf(before)}${said.arrow}${textOf(after)}`;
  if (line.length <= widest) return [line];
  return [label, ...writeSide(said.before, before), ...writeSide(said.after, after)];
}

function textOf(value: Json | undefined): string {
  return value === undefined ? words.none : JSON.stringify(value);
}

function writeSide(side: string, value: Json | undefined): string[] {
  return value === undefined ? [` ${side}: ${words.none}`] : writeValue(`${side}:`, value, ' ');
}
