import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { importsOf } from '../../bin/source-imports.ts';
import type { Shard } from './shards.ts';

/** What can change the result of a shard. */

const root = join(import.meta.dirname, '..', '..');

/** All files that git knows or would take, below the root. */
export function allFiles(): string[] {
  const listed = git('ls-files', '--cached', '--others', '--exclude-standard');
  return [...new Set(listed)].filter((file) => existsSync(join(root, file))).toSorted();
}

const texts = new Map<string, string>();
const textOf = (file: string): string => {
  const known = texts.get(file) ?? readFileSync(join(root, file), 'latin1');
  texts.set(file, known);
  return known;
};

/**
 * A hash of all that a kept result depends on. What a test starts runs or reads any file, so that only the test files of other shards
 * do not count, and for the folders that look at the whole project these do, too.
 *
 * @param condition what else is different about the run
 */
export function hashOf(shard: Shard, files: readonly string[], condition: string): string {
  texts.clear();
  const isWhole = !shard.isTests || shard.files.some((file) => /^test\/(bin|architecture)\//.test(file));
  const isReached = (file: string) => isWhole || !file.endsWith('.test.ts') || shard.files.includes(file);
  const hash = createHash('sha256').update(JSON.stringify([shard.words, condition]));
  for (const file of files.filter(isReached)) hash.update(`${file}\0${textOf(file).length}\0${textOf(file)}`);
  return hash.digest('hex').slice(0, 20);
}

/** Whether one of the changed files is reached by imports: of the shard's tests, and of the functions that they call over HTTP. */
export function isReachedBy(shard: Shard, changed: readonly string[], files: readonly string[]): boolean {
  // No imports of ours lead to these.
  const ofAll =
    /^(package(-lock)?\.json|tsconfig\.json|cdk\.json|\.npmrc|bin\/app\.ts|bin\/require-node\.cjs|lib\/.*\.mjs|test\/[^/]+\.config\.ts)$/;
  if (changed.some((file) => ofAll.test(file)) || shard.files.length === 0) return changed.length > 0;
  const folders = [...new Set(shard.files.map((file) => file.split('/')[1] ?? ''))];
  // A folder that is no domain's has tests of all domains.
  const places = folders.map((folder) => {
    const own = `functions/${folder}/`;
    return files.some((file) => file.startsWith(own)) ? own : 'functions/';
  });
  const isOwn = (file: string) => places.some((place) => file.startsWith(place));
  const entries = [...shard.files, 'test/stage.ts', ...files.filter((file) => file.endsWith('.ts') && isOwn(file))];
  const commands = commandsOf(closureOf(shard.files, files), files);
  const reached = closureOf([...entries, ...commands], files);
  if (commands.length > 0) for (const file of files) if (/^bin\/(cli|commands\/.*)\.ts$/.test(file)) reached.add(file);
  const readsDocuments = [...reached].some((file) => file.startsWith('test/') && /docs\/|README/.test(textOf(file)));
  return changed.some((file) => {
    if (reached.has(file)) return true;
    if (file.startsWith('docs/') || file === 'README.md') return readsDocuments;
    return !file.endsWith('.ts') && folders.some((folder) => file.startsWith(`test/${folder}/`));
  });
}

/** The commands that some tests start as processes, by the names of their files. bin/cli.ts itself would lead to all commands. */
function commandsOf(tests: ReadonlySet<string>, files: readonly string[]): string[] {
  const said = new Set([...tests].filter((file) => file.startsWith('test/')).flatMap(namesIn));
  const isCommand = (file: string) => /^bin\/[\w-]+\.ts$/.test(file) && /^export .*function run\(/m.test(textOf(file));
  return files.filter((file) => said.has(basename(file, '.ts')) && isCommand(file));
}

const namesIn = ofText((_, text) => text.match(/(?<=')[\w-]+(?=')|(?<=npm run (cli -- )?)[\w-]+/g) ?? []);
const importedBy = ofText((file, text) => importsOf(file, text).map(({ to }) => to));

/** What follows from a file's text is found once: many shards reach the same files. */
function ofText(find: (file: string, text: string) => readonly string[]): (file: string) => readonly string[] {
  const found = new Map<string, readonly string[]>();
  return (file) => {
    const known = found.get(file) ?? find(file, textOf(file));
    found.set(file, known);
    return known;
  };
}

/** @returns the paths that differ from a commit, below the root */
export function changedSince(ref: string): string[] {
  return [...git('diff', '--name-only', ref), ...git('ls-files', '--others', '--exclude-standard')];
}

/** The files themselves, and all that they import, directly or not. */
export function closureOf(entries: readonly string[], files: readonly string[]): Set<string> {
  const known = new Set(files);
  const reached = new Set<string>();
  const open = [...entries];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file) || !known.has(file)) continue;
    reached.add(file);
    if (/\.(ts|mts|mjs)$/.test(file)) open.push(...importedBy(file));
  }
  return reached;
}

function git(...words: string[]): string[] {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    .split('\n')
    .filter(Boolean);
}
