import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The commands that documents and tools tell people to type. */

const root = new URL('../..', import.meta.url).pathname;

export type Printed = { readonly command: string; readonly file: string };

const files = [
  'README.md',
  'docs/**/*.md',
  'lib/local/README.md',
  'bin/**/*.ts',
  'lib/**/*.ts',
  'functions/*/jobs/*.ts',
];

/** What an example leaves to who types it. */
const filledIn: readonly (readonly [RegExp, string])[] = [
  [/\$\{(?:environment|stage)\}|<stage>|(?<=--stage )…|dev\|staging(\|prod)?/g, 'dev'],
  [/<time>|(?<=--to )…/g, '2026-11-21T12:00:00Z'],
  [/<name>/g, 'probing'],
  [/<id>/g, 'a-user'],
  [/<sha256 of the object>/g, 'a'.repeat(64)],
  [/<you>/g, 'ada'],
  [/<case>/g, 'CASE-2026-1'],
  [/<object>/g, 'audit-changes/batch.json'],
  [/(?<= |_)…/g, 'x'],
];

/** `npm run …` with its arguments, each once; `npm` where a document names a script without them. */
export function printedCommands(): Printed[] {
  const found = new Map<string, Printed>();
  for (const file of globSync(files, { cwd: root, exclude: ['**/node_modules'] }).sort()) {
    const text = readFileSync(join(root, file), 'utf8').replace(/\\\n\s*(\*\s*)?/g, ' ');
    for (const [, raw = ''] of text.matchAll(/\b(npm run (?:-s )?[a-z][^`'"\n]*)/g)) {
      const command = typed(raw);
      if (!found.has(command)) found.set(command, { command, file });
    }
  }
  return [...found.values()];
}

/** As it would be typed: without the sentence that goes on after it, comments, and choices in brackets. */
function typed(raw: string): string {
  const filled = filledIn.reduce((text, [from, to]) => text.replace(from, to), raw);
  const plain = filled.replace(/ \[.*$|\s+#.*$| 2>.*$|\s*\|.*$/, '');
  const name = /^npm run (?:-s )?(?:cli -- )?[a-z](?:[\w:-]*\w)?/.exec(plain)?.[0] ?? '';
  const before = name.includes(' cli -- ') ? ' ' : ' -- ';
  const rest = plain.slice(name.length);
  if (!rest.startsWith(before)) return name;
  // Options and their values; the words of a sentence end them.
  const options =
    /^(?:(?:--?[\w-]+|bootstrap|import State|deploy|agree|send-test-push|consent-funnel|adherence|probing)(?: (?!-)[\w@.:/=$…-]+)? ?)*/;
  const given = options.exec(rest.slice(before.length))?.[0].replace(/[.,:;)]*\s*$/, '') ?? '';
  return given === '' ? name : `${name}${before}${given}`;
}

/** The script, or the command of the command line. */
export function scriptOf(command: string): string {
  return /^npm run (?:-s )?(?:cli -- )?([a-z][\w:-]*)/.exec(command)?.[1] ?? '';
}

export function argumentsOf(command: string): string[] {
  return command
    .replace(/^npm run (-s )?(cli -- )?[a-z][\w:-]*( --)?/, '')
    .split(/\s+/)
    .filter(Boolean);
}
