import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

/**
 * Each fixture is wrong in one way, on the line after its `@ts-expect-error`. That the compiler complains there at all
 * is checked with all other types (`tsc` fails on an expectation that is not met); here the expectations are taken out,
 * so that the compiler has to say the very thing that each of them names, and nothing else.
 */

const root = new URL('../../', import.meta.url);
const expectation = /^ *\/\/ @ts-expect-error (TS\d+): (.+)\n/m;

test.each([
  ['test/contract/must-not-compile/', 'functions/product.ts'],
  ['test/second-product/must-not-compile/', 'test/second-product/product.ts'],
])('the compiler refuses each fixture of %s, for the reason that it names and no other', async (folder, product) => {
  const fixtures = new URL(folder, root);
  // As deep as the fixtures, so that their imports still lead to the same files.
  const copies = new URL(`.cache/must-not-compile/${process.pid}/`, root);
  const expected = readdirSync(fixtures).map((file) => {
    const source = readFileSync(new URL(file, fixtures), 'utf8');
    const [found, code, text] = expectation.exec(source) ?? [];
    const line = found === undefined ? 0 : source.slice(0, source.indexOf(found)).split('\n').length;
    return { file, line, code, text, source: source.replace(expectation, '') };
  });
  mkdirSync(copies, { recursive: true });
  onTestFinished(() => rmSync(copies, { recursive: true }));
  for (const { file, source } of expected) writeFileSync(new URL(file, copies), source);
  writeFileSync(
    new URL('tsconfig.json', copies),
    JSON.stringify({ extends: '../../../tsconfig.json', include: ['.', `../../../${product}`], exclude: [] }),
  );

  const tsc = new URL('node_modules/.bin/tsc', root).pathname;
  const env = { ...process.env, PATH: `${new URL('node_modules/.bin', root).pathname}:${process.env.PATH}` };
  // It ends with 2, as it complains.
  const { stdout } = await promisify(execFile)(tsc, ['--pretty', 'false'], { cwd: copies, env }).catch(
    (error: { stdout: string }) => error,
  );
  const complaints = stdout.split(/\n(?=\S)/).filter((complaint) => complaint.trim() !== '');

  for (const { file, line, code, text } of expected) {
    const about = complaints.filter((complaint) => complaint.startsWith(`${file}(`));
    if (code === undefined) expect.soft(about, file).toEqual([]);
    else {
      expect.soft(about, file).toEqual([expect.stringContaining(`): error ${code}: `)]);
      expect.soft(about[0], file).toMatch(new RegExp(`^${file}\\(${line},`));
      expect.soft(about[0], file).toContain(text);
    }
  }
  expect(complaints).toHaveLength(expected.filter(({ code }) => code).length);
});
