import { hash as hashOf } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../../lib/local/synth.ts';

/** Cloud assemblies of the template tests, shared by vitest's workers, each of which would take seconds for its own. */

const folder = join(projectDir, '.cache', 'template-tests');
const inputs = globSync(
  [
    'lib/{contract,stack}/**/*.*',
    'functions/**/*.*',
    'bin/product.ts',
    'package-lock.json',
    'cdk.json',
    'test/stack/stage.ts',
  ],
  { cwd: projectDir },
).sort();
const contents = inputs.map((path) => [path, hashOf('sha256', readFileSync(join(projectDir, path)))]);
const hash = hashOf('sha256', JSON.stringify(contents)).slice(0, 20);

const day = 86_400_000;

/**
 * @param make answers the folder of an assembly
 * @returns that of the environment and of the sources as they are, made by whoever asked first
 */
export function madeOnce(environment: string, make: () => string): string {
  const directory = join(folder, `${environment}-${hash}`);
  const lock = `${directory}.lock`;
  mkdirSync(folder, { recursive: true });
  while (!existsSync(join(directory, 'manifest.json'))) {
    if (!isTaken(lock)) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      continue;
    }
    try {
      // Renamed whole: nobody reads half of it.
      const aside = `${directory}.${process.pid}`;
      if (!existsSync(directory)) {
        cpSync(make(), aside, { recursive: true });
        renameSync(aside, directory);
        prune();
      }
    } finally {
      rmSync(lock, { force: true });
    }
  }
  return directory;
}

/** Whether the lock is ours now. It names its process; that of a process that has ended is removed, and nobody else's. */
function isTaken(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    if (hasEnded(holderOf(lock))) rmSync(lock, { force: true });
    return false;
  }
}

/** Null while it is written, and after it was removed. */
function holderOf(lock: string): number | null {
  try {
    return Number(readFileSync(lock, 'utf8')) || null;
  } catch {
    return null;
  }
}

function hasEnded(pid: number | null): boolean {
  if (pid === null) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/** Those of other sources, a day later. */
function prune(): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const { mtimeMs = Date.now() } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (!name.includes(hash) && Date.now() - mtimeMs > day) rmSync(path, { recursive: true, force: true });
  }
}
