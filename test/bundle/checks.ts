import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Metafile } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { consumers, operations } from '../../functions/domains.ts';
import { bundle } from '../../lib/bundle/bundle.ts';
import type { Entry } from '../../lib/bundle/entries.ts';
import { functionName } from '../../lib/stack/names.ts';
import { ceilingKiB, clientsIn, hasList, largestOf, modulesIn, settingPasswords, unwanted } from './budget.ts';

const run = promisify(execFile);
const temporary = () => mkdtempSync(join(tmpdir(), 'mobile-health-bundle-'));

/**
 * What holds of each function's code; `entries` are those that are looked at.
 *
 * @returns the folder into which they are bundled before the first test
 */
export function checkBundles(entries: readonly Entry[]): string {
  const [first, second] = [temporary(), temporary()];
  const names = entries.map(({ name }) => name);
  const code = (directory: string, name: string) => readFileSync(join(directory, name, 'index.mjs'), 'utf8');
  let metafile: Metafile;
  const outputOf = (name: string) => {
    return metafile.outputs[`${name}/index.mjs`] as Metafile['outputs'][string];
  };

  beforeAll(async () => {
    metafile = await bundle({ outdir: first, entries });
  });

  test('have one folder for each function, with its code and nothing else', () => {
    expect(readdirSync(first).sort()).toEqual([...names].sort());
    for (const name of names) expect(readdirSync(join(first, name))).toEqual(['index.mjs']);
  });

  test('are the same in any folder, and beside any others', async () => {
    // One for each set of clients, so that each of the plugins has its work in them.
    const chosen = [...new Map(names.map((name) => [clientsIn(outputOf(name)).join(), name])).values()];
    await bundle({ outdir: second, entries: entries.filter(({ name }) => chosen.includes(name)) });
    for (const name of chosen) expect(code(second, name) === code(first, name), name).toBe(true);
    expect(chosen.length).toBeGreaterThan(4);
  });

  test('name neither their source map nor this machine', () => {
    for (const name of names) expect(code(first, name), name).not.toMatch(/sourceMappingURL|\/node_modules\//);
  });

  test('call no require', () => {
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

  test('are below the ceiling; the largest are printed', () => {
    const largest = largestOf(metafile);
    console.log(largest);
    expect(
      names.filter((name) => outputOf(name).bytes / 1024 > ceilingKiB),
      `above ${ceilingKiB} KiB; ${largest}`,
    ).toEqual([]);
  });

  test('have the list of breached passwords where a password is set, and nowhere else', () => {
    const expected = names.filter((name) => settingPasswords.includes(name));
    expect(names.filter((name) => hasList(outputOf(name))).toSorted()).toEqual(expected.toSorted());
  });

  test('bring nothing that Lambda has no use for', () => {
    for (const name of names) {
      const found = modulesIn(outputOf(name)).filter((path) => unwanted.some((pattern) => pattern.test(path)));
      expect(found, name).toEqual([]);
    }
  });

  test('import no module of Node by an import statement, which would read all its exports and load undici', () => {
    for (const name of names) expect(outputOf(name).imports, name).toEqual([]);
  });

  test('reach the network only by the SDK’s handler and the fetch of the pool’s keys', () => {
    const allowed = ['http', 'https'];
    // middy reads a list of texts out of `node:http`.
    const reaching =
      /getBuiltinModule\(["'`](?:node:)?(https?|http2|net|tls|dgram|dns|dns\/promises|child_process|cluster|inspector)["'`]\)(?!\.STATUS_CODES)/g;
    for (const name of names) {
      const found = new Set([...code(first, name).matchAll(reaching)].map(([, module = '']) => module));
      expect(
        [...found].filter((module) => !allowed.includes(module)),
        name,
      ).toEqual([]);
      if (found.size === 0) continue;
      const modules = modulesIn(outputOf(name)).filter((path) =>
        /node-http-handler|lib\/runtime\/jwks\.ts$/.test(path),
      );
      expect(modules, name).not.toEqual([]);
    }
  });

  test('carry the declaration of their own route or consumer, and of no other', () => {
    const declared = [
      ...operations.map(({ id, route }) => ({ name: functionName(id), summary: route.summary })),
      ...consumers.map(({ id, consumer }) => ({ name: functionName(id), summary: consumer.summary })),
    ];
    for (const { name } of declared.filter((one) => names.includes(one.name))) {
      const carried = code(first, name);
      const found = declared.filter(({ summary }) => carried.includes(`summary:${JSON.stringify(summary)}`));
      expect(found.map((one) => one.name)).toEqual([name]);
    }
  });

  return first;
}
