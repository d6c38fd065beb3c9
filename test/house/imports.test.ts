import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { type Import, importsOf, readSources, roomOf, violations } from '../../bin/check-imports.ts';

const root = new URL('../../', import.meta.url).pathname;
const sources = readSources(root);

test('the house keeps its rules', () => {
  expect(sources.size).toBeGreaterThan(20);
  expect(violations(sources)).toEqual([]);
});

test('no import is overlooked: esbuild sees the same ones', async () => {
  const files = [...sources.keys()];
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: files,
    outdir: 'out',
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  for (const file of files) {
    const seen = metafile.inputs[file]?.imports.map(({ path }) => path) ?? [];
    const found = importsOf(file, sources.get(file) ?? '').filter(({ typeOnly, to }) => !typeOnly && !isWorker(to));
    expect(new Set(found.map(({ to }) => to)), file).toEqual(new Set(seen));
  }
});

/** Started by its address, so that it is no import to esbuild. */
function isWorker(path: string): boolean {
  return path.endsWith('-worker.ts');
}

describe('importsOf', () => {
  const cases: [string, Partial<Import>[]][] = [
    ["import { a, b as c } from './x.ts';", [{ to: 'functions/one/x.ts', typeOnly: false, names: ['a', 'b as c'] }]],
    ["import type { A } from './x.ts';", [{ to: 'functions/one/x.ts', typeOnly: true }]],
    ["import { type A } from './x.ts';", [{ to: 'functions/one/x.ts', typeOnly: false, names: [] }]],
    ["import {\n  a,\n  type B,\n} from '../two/x.ts';", [{ to: 'functions/two/x.ts', names: ['a'] }]],
    ["import * as z from 'zod/mini';", [{ to: 'zod/mini', names: null }]],
    ["import x, { y } from 'canonicalize';", [{ to: 'canonicalize', names: null }]],
    ["import x from 'canonicalize';", [{ to: 'canonicalize', names: null }]],
    ["import './x.ts';", [{ to: 'functions/one/x.ts' }]],
    [
      "export { a } from './x.ts';\nexport * from './y.ts';",
      [{ to: 'functions/one/x.ts' }, { to: 'functions/one/y.ts' }],
    ],
    ["const x = await import('./x.ts');", [{ to: 'functions/one/x.ts' }]],
    ["new Worker(new URL('./x-worker.ts', import.meta.url));", [{ to: 'functions/one/x-worker.ts' }]],
    ["export const a = 'b';\nexport function from(): string {\n  return 'x';\n}", []],
    ["/** import x from 'y' */\n// import x from 'y'", []],
  ];
  test.each(cases)('%s', (source, expected) => {
    expect(importsOf('functions/one/a.ts', source)).toEqual(expected.map((one) => expect.objectContaining(one)));
  });
});

test.each([
  ['lib/contract/route.ts', 'contract'],
  ['lib/local/template/apis.ts', 'local'],
  ['lib/local/synth-worker.ts', 'local worker'],
  ['functions/domains.ts', 'domains'],
  ['functions/one/routes.ts', 'routes'],
  ['functions/one/list-things.ts', 'handler'],
  ['functions/two/list-things.ts', 'rule'],
  ['functions/one/store.ts', 'store'],
  ['functions/one/thing-store.ts', 'store'],
  ['functions/one/thing.ts', 'rule'],
  ['functions/one/deep/thing.ts', null],
  ['functions/other.ts', null],
  ['lib/other/thing.ts', null],
])('%s belongs to %s', (file, room) => {
  expect(roomOf(file, new Set(['one/list-things']))).toBe(room);
});

describe('each rule catches what breaks it', () => {
  const house: Record<string, string> = {
    'lib/contract/route.ts': "import * as z from 'zod/mini';",
    'lib/runtime/serve.ts': "import middy from '@middy/core';\nimport { route } from '../contract/route.ts';",
    'lib/stack/app.ts':
      "import { domains } from '../../functions/domains.ts';\nimport { App } from 'aws-cdk-lib/core';",
    'lib/local/stage.ts': "import { createServer } from 'node:http';",
    'lib/local/synth-worker.ts': "import { app } from '../stack/app.ts';",
    'functions/domains.ts': "import * as one from './one/routes.ts';\nimport * as two from './two/routes.ts';",
    'functions/one/routes.ts':
      "import { route } from '../../lib/contract/route.ts';\nexport const listThings = route({});",
    'functions/one/thing.ts': "import { createHash } from 'node:crypto';\nimport { other } from './other.ts';",
    'functions/one/other.ts': "import type { Route } from '../../lib/contract/route.ts';",
    'functions/one/store.ts':
      "import { GetCommand } from '@aws-sdk/lib-dynamodb';\nimport { thing } from './thing.ts';",
    'functions/one/list-things.ts':
      "import { serve } from '../../lib/runtime/serve.ts';\nimport { get } from './store.ts';",
    'functions/two/routes.ts': 'export const readOne = route({});\nexport const readTwo = route({});',
    'functions/two/read-one.ts': "import { thing } from '../one/thing.ts';",
    'functions/two/read-two.ts': "import { listThings } from './routes.ts';",
    'functions/two/store.ts': '',
  };
  const check = (file: string, line: string) =>
    violations(new Map(Object.entries({ ...house, [file]: `${house[file] ?? ''}\n${line}` })));

  test('a house in order has none', () => {
    expect(violations(new Map(Object.entries(house)))).toEqual([]);
  });

  test.each([
    ['lib/contract/route.ts', "import { serve } from '../runtime/serve.ts';", 'lib/contract is pure'],
    ['lib/contract/route.ts', "import { readFile } from 'node:fs/promises';", 'lib/contract is pure'],
    ['lib/runtime/serve.ts', "import { domains } from '../../functions/domains.ts';", 'lib/runtime is bundled'],
    ['lib/runtime/serve.ts', "import type { Stage } from '../local/stage.ts';", 'lib/runtime is bundled'],
    ['lib/runtime/serve.ts', "import { app } from '../stack/app.ts';", 'lib/runtime is bundled'],
    ['lib/runtime/serve.ts', "import { Stack } from 'aws-cdk-lib/core';", 'lib/runtime is bundled'],
    ['lib/runtime/serve.ts', "import { build } from 'esbuild';", 'lib/runtime is bundled'],
    ['lib/stack/app.ts', "import { handler } from '../../functions/one/list-things.ts';", 'never a handler'],
    ['lib/stack/app.ts', "import { get } from '../../functions/one/store.ts';", 'never a handler'],
    ['lib/stack/app.ts', "import { stage } from '../local/stage.ts';", 'never a handler'],
    ['lib/local/stage.ts', "import { domains } from '../../functions/domains.ts';", 'knows the template'],
    ['lib/local/stage.ts', "import { serve } from '../runtime/serve.ts';", 'knows the template'],
    ['lib/local/stage.ts', "import { app } from '../stack/app.ts';", 'knows the template'],
    ['lib/local/synth-worker.ts', "import { domains } from '../../functions/domains.ts';", 'make the template'],
    ['functions/domains.ts', "import { handler } from './one/list-things.ts';", 'lists declarations'],
    ['functions/one/routes.ts', "import { serve } from '../../lib/runtime/serve.ts';", 'lib/contract alone'],
    ['functions/one/routes.ts', "import { thing } from './thing.ts';", 'lib/contract alone'],
    ['functions/one/thing.ts', "import { route } from '../../lib/contract/route.ts';", 'a rule is pure'],
    ['functions/one/thing.ts', "import { serve } from '../../lib/runtime/serve.ts';", 'a rule is pure'],
    ['functions/one/thing.ts', "import { get } from './store.ts';", 'a rule is pure'],
    ['functions/one/thing.ts', "import type { Thing } from './store.ts';", 'a rule is pure'],
    ['functions/one/thing.ts', "import { listThings } from './routes.ts';", 'a rule is pure'],
    ['functions/one/thing.ts', "import { GetCommand } from '@aws-sdk/lib-dynamodb';", 'a rule is pure'],
    ['functions/one/thing.ts', "import { randomUUID } from 'node:crypto';", 'a rule is pure'],
    ['functions/one/thing.ts', "import * as crypto from 'node:crypto';", 'a rule is pure'],
    ['functions/one/thing.ts', "import { two } from '../two/two.ts';", 'a rule is pure'],
    ['functions/one/store.ts', "import { handler } from './list-things.ts';", 'its own domain'],
    ['functions/one/store.ts', "import { get } from '../two/store.ts';", 'its own domain'],
    ['functions/two/read-one.ts', "import { handler } from './read-two.ts';", 'no handler'],
    ['functions/two/read-one.ts', "import { handler } from '../one/list-things.ts';", 'no handler'],
    ['functions/two/read-one.ts', "import { get } from '../one/store.ts';", 'no handler'],
    ['functions/two/read-one.ts', "import { listThings } from '../one/routes.ts';", 'no handler'],
    ['functions/two/read-one.ts', "import { Stack } from 'aws-cdk-lib/core';", 'no handler'],
    ['functions/two/read-one.ts', "const late = await import('../one/store.ts');", 'no handler'],
    ['functions/two/deep/thing.ts', '', 'has no room'],
  ])('%s: %s', (file, line, says) => {
    expect(check(file, line)).toEqual([expect.stringMatching(new RegExp(`^${file}: .*${says}`))]);
  });
});
