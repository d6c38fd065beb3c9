import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { declarations } from '../functions/domains.ts';
import { functionEntries } from '../lib/bundle/entries.ts';
import { root } from '../lib/bundle/root.ts';
import { entryNamed, mapOf, positionOf } from '../lib/bundle/trace.ts';

export async function run(name: string, texts: readonly string[], { commit }: { readonly commit?: string }) {
  if (commit) process.exitCode = traceAt(commit, [name, ...texts]);
  else {
    const { find } = await mapOf(entryNamed(name, functionEntries(declarations)));
    for (const position of texts.map(positionOf)) console.log(find(position));
  }
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
    const { status } = spawnSync(process.execPath, [join(tree, 'bin', 'cli.ts'), 'trace', ...words], {
      cwd: tree,
      stdio: 'inherit',
    });
    return status ?? 1;
  } finally {
    rmSync(parent, { recursive: true, force: true });
    git('worktree', 'prune');
  }
}
