import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { declarations } from '../functions/domains.ts';
import { functionEntries } from '../lib/bundle/entries.ts';
import { root } from '../lib/bundle/root.ts';
import { entryNamed, mapOf, placeOf } from '../lib/bundle/trace.ts';

/** `npm run trace -- agree 27:23068`: the source file and line of places in a deployed function's stack trace. */

const usage = `npm run trace -- <function> <line:column> … [--commit <commit>]
  The places are those of index.mjs in a stack trace. --commit names what was deployed; without it, the sources as they are here.`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { commit: { type: 'string' }, help: { type: 'boolean' } },
  });
  const [name, ...places] = positionals;
  if (values.help) console.log(usage);
  else if (!name || places.length === 0) throw new Error(usage);
  else if (values.commit) process.exitCode = traceAt(values.commit, [name, ...places]);
  else {
    const { find } = await mapOf(entryNamed(name, functionEntries(declarations)));
    for (const place of places.map(placeOf)) console.log(find(place));
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

/** Runs this command in a work tree of the commit. @returns its exit code */
function traceAt(commit: string, words: readonly string[]): number {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  const lock = 'package-lock.json';
  if (git('show', `${commit}:${lock}`) !== readFileSync(join(root, lock), 'utf8')) {
    throw new Error(`${commit} has other packages: check it out, run npm ci, and run this command there`);
  }
  const parent = mkdtempSync(join(tmpdir(), 'trace-'));
  const tree = join(parent, 'tree');
  try {
    git('worktree', 'add', '--detach', tree, commit);
    symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
    const { status } = spawnSync(process.execPath, [join(tree, 'bin', 'trace.ts'), ...words], {
      cwd: tree,
      stdio: 'inherit',
    });
    return status ?? 1;
  } finally {
    rmSync(parent, { recursive: true, force: true });
    git('worktree', 'prune');
  }
}
