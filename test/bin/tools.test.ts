import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { installTool, isInstalled, loadTool } from '../../bin/tools.ts';

type Packages = Readonly<Record<string, object>>;

const one = { 'node_modules/one': { integrity: 'sha512-one' } };
const root = { '': { name: 'tool' } };

/** A tool whose lock file has these packages. */
function toolOf(packages: Packages): string {
  const folder = mkdtempSync(join(tmpdir(), 'tool-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of ['package.json', '.npmrc']) writeFileSync(join(folder, file), '{}');
  lock(folder, packages);
  return folder;
}

function lock(folder: string, packages: Packages): void {
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { ...root, ...packages } }));
}

/** What npm leaves behind. */
function leave(folder: string, packages: Packages): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  writeFileSync(join(folder, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }));
}

/** Installs what the lock file says. */
function npm(folder: string): void {
  const { '': _, ...packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;
  leave(folder, packages);
}

function keepQuiet(): void {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => said.mockRestore());
}

test.each<[string, Packages, Packages, boolean]>([
  ['what is locked', one, one, true],
  ['another version', one, { 'node_modules/one': { integrity: 'sha512-two' } }, false],
  ['less', { ...one, 'node_modules/two': { integrity: 'sha512-two' } }, one, false],
  ['more', one, { ...one, 'node_modules/two': { integrity: 'sha512-two' } }, false],
  ['less, of another platform', { ...one, 'node_modules/win': { integrity: 'sha512-w', optional: true } }, one, true],
])('%s is installed', (_, locked, found, is) => {
  const folder = toolOf(locked);
  leave(folder, found);
  expect(isInstalled(folder)).toBe(is);
});

test('a tool is installed once, and again when its lock file changes', () => {
  keepQuiet();
  const folder = toolOf(one);
  const install = vi.fn(npm);
  installTool(folder, install);
  installTool(folder, install);
  expect(install).toHaveBeenCalledTimes(1);
  lock(folder, { 'node_modules/two': { integrity: 'sha512-two' } });
  installTool(folder, install);
  installTool(folder, install);
  expect(install).toHaveBeenCalledTimes(2);
  expect(console.error).toHaveBeenCalledTimes(2);
  expect(isInstalled(folder)).toBe(true);
});

test('an installation that fails leaves what was there', () => {
  keepQuiet();
  const folder = toolOf(one);
  expect(() =>
    installTool(folder, (aside) => {
      leave(aside, {});
      throw new Error('no network');
    }),
  ).toThrow('no network');
  expect(existsSync(join(folder, 'node_modules'))).toBe(false);
  installTool(folder, npm);
  expect(isInstalled(folder)).toBe(true);
});

test('of two installations at once one is kept', () => {
  keepQuiet();
  const folder = toolOf(one);
  installTool(folder, (aside) => {
    installTool(folder, npm);
    npm(aside);
  });
  expect(isInstalled(folder)).toBe(true);
});

test('a module of a tool is loaded when its packages are there', async () => {
  const folder = toolOf(one);
  npm(folder);
  writeFileSync(join(folder, 'says.mjs'), 'export const says = 1;');
  expect(await loadTool<{ says: number }>(new URL(`file://${folder}/says.mjs`))).toMatchObject({ says: 1 });
});
