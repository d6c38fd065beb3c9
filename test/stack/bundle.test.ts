import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Metafile } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundle, functionEntries } from '../../lib/stack/bundle.ts';
import { temporary } from './stage.ts';

const run = promisify(execFile);

describe('the bundles', () => {
  const [first, second] = [temporary(), temporary()];
  const names = functionEntries().map(({ name }) => name);
  const code = (directory: string, name: string) => readFileSync(join(directory, name, 'index.mjs'), 'utf8');
  let metafile: Metafile;

  beforeAll(async () => {
    [metafile] = await Promise.all([bundle({ outdir: first }), bundle({ outdir: second })]);
  });

  test('are one folder a function, with its code and its source map', () => {
    expect(readdirSync(first).sort()).toEqual([...names].sort());
    for (const name of names) expect(readdirSync(join(first, name)).sort()).toEqual(['index.mjs', 'index.mjs.map']);
  });

  test('are the same wherever they are written', () => {
    for (const name of names) expect(code(second, name), name).toBe(code(first, name));
  });

  test('name neither their source map nor this machine', () => {
    for (const name of names) expect(code(first, name), name).not.toMatch(/sourceMappingURL|\/node_modules\//);
  });

  test('need nothing but Node itself', () => {
    for (const [file, { imports }] of Object.entries(metafile.outputs)) {
      const outside = imports.map(({ path }) => path).filter((path) => !/^(node:|[a-z_]+(\/promises)?$)/.test(path));
      expect(outside, file).toEqual([]);
    }
    // An ES module has no `require`; a CommonJS package that calls it would fail where it does.
    for (const name of names) expect(code(first, name), name).not.toContain('Dynamic require of');
  });

  test('each exports a handler, in an empty environment', async () => {
    const script = `const found = await Promise.all(process.argv.slice(1).map((file) => import(file)));
      console.log(JSON.stringify(found.map(({ handler }) => typeof handler)));`;
    const files = names.map((name) => join(first, name, 'index.mjs'));
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script, ...files], { env: {} });
    expect(JSON.parse(stdout)).toEqual(names.map(() => 'function'));
  });
});
