import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Metafile, type OutputFile, transform } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { synthesize } from '../../bin/stage.ts';
import { declarations } from '../../functions/domains.ts';
import { chunkOptions } from '../../lib/bundle/chunks.ts';
import { functionEntries } from '../../lib/bundle/entries.ts';
import { root } from '../../lib/bundle/root.ts';
import { sourceMapper } from '../../lib/local/functions/source-maps.ts';
import { openSecrets } from '../../lib/local/template/secrets.ts';
import { readStageModel } from '../../lib/local/template/stage-model.ts';

/** The code of the local stage: one build, in which functions share chunks. */

const names = functionEntries(declarations).map(({ name }) => name);
// The depth of the folder is in the source maps, and these are in the names of the chunks.
const outdir = join(root, '.cache', 'code', 'test');
let files: readonly OutputFile[];
let metafile: Metafile;

beforeAll(async () => {
  const options = await chunkOptions(functionEntries(declarations));
  ({ outputFiles: files, metafile } = await build({ ...options, outdir, write: false }));
});

const entryOf = (name: string) => files.find(({ path }) => path === join(outdir, name, 'index.mjs'));

test('only an entry has a top-level await, so no function waits for what another one reads at init', async () => {
  const chunks = Object.entries(metafile.outputs).filter(
    ([path, { entryPoint }]) => !entryPoint && !path.endsWith('.map'),
  );
  expect(chunks.length).toBeGreaterThan(100);
  const waits = async (path: string) => {
    const text = files.find((file) => file.path === join(root, path))?.text ?? '';
    // CommonJS has no top-level await, and esbuild refuses to compile one for it.
    return transform(text, { format: 'cjs', logLevel: 'silent' }).then(
      () => false,
      () => true,
    );
  };
  const waiting = await Promise.all(chunks.map(async ([path]) => ((await waits(path)) ? [path] : [])));
  expect(waiting.flat()).toEqual([]);
  expect(entryOf('agree')?.text).toContain('await ');
});

test('is what the functions of the local stage run, each in its own folder', async () => {
  const { functions } = readStageModel(await synthesize('dev'), openSecrets(undefined));
  const folders = new Map(functions.map(({ operation, codeDir }) => [operation, codeDir]));
  expect([...folders.keys()].sort()).toEqual(names.toSorted());
  for (const [name, folder] of folders) {
    expect(readFileSync(join(folder, 'index.mjs'), 'utf8') === entryOf(name)?.text, name).toBe(true);
  }
});

test('a place in it is named by source file and line', async () => {
  const { codeOf } = await synthesize('dev');
  const folder = codeOf?.('agree') ?? '';
  const text = readFileSync(join(folder, 'index.mjs'), 'utf8');
  const column = text.indexOf('answer:');
  expect(column).toBeGreaterThan(0);
  const mapped = sourceMapper(root)(`    at answer (file://${folder}/index.mjs:1:${column + 1})`);
  const line = readFileSync(join(root, 'functions/consents/handlers/agree.ts'), 'utf8')
    .split('\n')
    .findIndex((each) => each.includes('answer:'));
  expect(mapped).toMatch(new RegExp(`^ {4}at answer \\(functions/consents/handlers/agree\\.ts:${line + 1}:\\d+\\)$`));
});
