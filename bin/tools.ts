import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Lock, Manifest } from './packages.ts';

/**
 * Packages that only some commands and tests need. Each folder in bin/tools/ and test/tools/ has a package.json and a lock file of
 * its own, so `npm ci` of the project does not install them. Who needs a tool installs it with a call of `installTool` or `loadTool`.
 */

const root = join(import.meta.dirname, '..');

/** The folders of all tools, below the root. */
export const toolFolders: readonly string[] = globSync('{bin,test}/tools/*/package.json', { cwd: root })
  .map((file) => dirname(file))
  .toSorted();

export type Locked = { readonly folder: string; readonly manifest: Manifest; readonly lock: Lock };

/** The project and its tools: what each asks for, and what it gets. */
export function lockedFolders(): Locked[] {
  return ['.', ...toolFolders].map((folder) => {
    const read = (file: string) => JSON.parse(readFileSync(join(root, folder, file), 'utf8'));
    return { folder, manifest: read('package.json'), lock: read('package-lock.json') };
  });
}

/** Imports a module of a tool, which may import the tool's packages. Only the module knows their types: `Module` says what it exports. */
export async function loadTool<Module>(file: URL): Promise<Module> {
  installTool(dirname(fileURLToPath(file)));
  return import(file.href);
}

/** @returns false if anything else is installed than the lock file says, or nothing. Packages for other platforms may be absent. */
export function isInstalled(folder: string): boolean {
  const wanted = packagesOf(join(folder, 'package-lock.json'));
  // npm writes it last. https://docs.npmjs.com/cli/v11/configuring-npm/package-lock-json#hidden-lockfiles
  const found = packagesOf(join(folder, 'node_modules', '.package-lock.json'));
  return (
    Object.keys(found).every((path) => path in wanted) &&
    Object.entries(wanted).every(([path, { integrity, optional = false }]) => {
      return path === '' || (path in found ? found[path]?.integrity === integrity : optional);
    })
  );
}

/**
 * Installs the packages of a tool, unless they are there.
 *
 * @param folder an absolute path
 * @param install installs into a folder that has only the files of npm; by `npm ci`, except in tests
 */
export function installTool(folder: string, install: (folder: string) => void = npmCi): void {
  if (isInstalled(folder)) return;
  console.error(`${relative(root, folder)}: installing its packages, once`);
  // Installed elsewhere and then renamed: neither an interrupted nor a parallel installation leaves half of it.
  const cache = join(root, '.cache', 'tools');
  mkdirSync(cache, { recursive: true });
  const aside = mkdtempSync(join(cache, 'installing-'));
  try {
    for (const file of ['package.json', 'package-lock.json', '.npmrc'])
      copyFileSync(join(folder, file), join(aside, file));
    install(aside);
    // Another process may have been faster, and may use what it installed.
    if (isInstalled(folder)) return;
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
    try {
      renameSync(join(aside, 'node_modules'), join(folder, 'node_modules'));
    } catch (error) {
      if (!isInstalled(folder)) throw error;
    }
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

function npmCi(folder: string): void {
  // What a command prints is its result, so npm's own lines go nowhere, except errors.
  const words = ['ci', '--include=dev', '--loglevel=error'];
  execFileSync('npm', words, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
}

type Packages = Readonly<Record<string, { readonly integrity?: string; readonly optional?: boolean }>>;

function packagesOf(file: string): Packages {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}
