import { describe, expect, test } from 'vitest';
import { dependenciesIn, violations } from '../../bin/check-imports.ts';
import { circlesIn } from '../../bin/import-circles.ts';
import { layerOf } from '../../bin/layers.ts';
import { type Import, importsOf } from '../../bin/source-imports.ts';

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
  ['lib/bundle/bundle.ts', 'bundle'],
  ['lib/local/index.ts', 'local API'],
  ['lib/local/early.ts', 'local API'],
  ['lib/local/template/apis.ts', 'local'],
  ['bin/diff.ts', 'command'],
  ['bin/capacity/units.ts', 'command'],
  ['bin/capacity/deep/units.ts', null],
  ['bin/tools/analytics/duck.ts', 'tool'],
  ['lib/local/synth-worker.ts', 'local worker'],
  ['functions/domains.ts', 'domains'],
  ['functions/product.ts', 'product'],
  ['functions/settings.ts', 'product'],
  ['functions/gateway/authorizer.ts', 'gateway'],
  ['functions/gateway/deep/authorizer.ts', null],
  ['functions/generated/iam-permissions.ts', 'generated'],
  ['functions/generated/tables.ts', null],

  ['functions/one/routes.ts', 'declaration'],
  ['functions/one/tables.ts', 'value'],
  ['functions/one/queues.ts', 'value'],
  ['functions/one/topics.ts', 'value'],
  ['functions/one/buckets.ts', 'value'],
  ['functions/one/signing-keys.ts', 'value'],
  ['functions/one/secrets.ts', 'value'],
  ['functions/one/metrics.ts', 'value'],
  ['functions/one/errors-guide.ts', 'guide'],
  ['functions/one/index.ts', 'index'],
  ['functions/one/consumers.ts', 'declaration'],
  ['functions/one/exports.ts', 'exports'],
  ['functions/one/rules.ts', 'rule API'],
  ['functions/one/handlers/list-things.ts', 'handler'],
  ['functions/one/rules/thing.ts', 'rule'],
  ['functions/one/stores/things.ts', 'store'],
  ['functions/one/workflows/move-thing.ts', 'workflow'],
  ['functions/one/jobs/import-things.ts', 'job'],
  ['functions/one/seed/seed.ts', 'job'],
  ['functions/one/thing.ts', null],
  ['functions/one/list-things.ts', null],
  ['functions/one/handlers/thing.ts', null],
  ['functions/two/handlers/list-things.ts', null],
  ['functions/one/other/thing.ts', null],
  ['functions/one/rules/deep/thing.ts', null],
  ['functions/other.ts', null],
  ['lib/other/thing.ts', null],
])('%s belongs to %s', (file, layer) => {
  expect(layerOf(file, new Set(['one/list-things']))).toBe(layer);
});

describe('each rule catches what breaks it', () => {
  const tree: Record<string, string> = {
    'lib/contract/route.ts': "import * as z from 'zod/mini';",
    'lib/runtime/serve.ts': "import middy from '@middy/core';\nimport { route } from '../contract/route.ts';",
    'lib/bundle/bundle.ts': "import { build } from 'esbuild';\nimport { route } from '../contract/route.ts';",
    'lib/stack/app.ts': "import { App } from 'aws-cdk-lib/core';",
    'lib/local/stage.ts': "import { createServer } from 'node:http';",
    'lib/local/index.ts': "export { stage } from './stage.ts';",
    'bin/import-things.ts':
      "import { S3Client } from '@aws-sdk/client-s3';\nimport { importThings } from '../functions/one/jobs/import-things.ts';\nimport { stage } from '../lib/local/index.ts';",
    'lib/local/synth-worker.ts':
      "import { app } from '../stack/app.ts';\nconst { bundle } = await import('../bundle/bundle.ts');",
    'functions/product.ts':
      "import type { Product } from '../lib/contract/product.ts';\nimport { settings } from './settings.ts';",
    'functions/settings.ts': "import type { Settings } from '../lib/contract/settings.ts';",
    'functions/gateway/authorizer.ts':
      "import { authorizer } from '../../lib/runtime/authorizer.ts';\nimport { roleScopes } from '../product.ts';",
    'functions/generated/iam-permissions.ts': "import type { Permission } from '../../lib/contract/permissions.ts';",
    'bin/product.ts':
      "export { domains } from '../functions/domains.ts';\nexport { product } from '../functions/product.ts';",
    'functions/domains.ts': "export const domains = { one: await import('./one/index.ts') };",
    'functions/one/index.ts': "export * as routes from './routes.ts';\nexport * as errors from './errors.ts';",
    'functions/one/errors.ts': "import { error } from '../../lib/contract/errors.ts';",
    'functions/one/errors-guide.ts': "import * as errors from './errors.ts';",
    'functions/one/routes.ts':
      "import { route } from '../../lib/contract/route.ts';\nimport { permissions } from '../generated/iam-permissions.ts';\nexport const listThings = route({});",
    'functions/one/exports.ts': "export { get } from './stores/things.ts';",
    'functions/one/rules/thing.ts':
      "import { createHash } from 'node:crypto';\nimport { other } from './other.ts';\nimport { far } from '../../three/rules.ts';",
    'functions/one/rules/other.ts': "import type { Route } from '../../../lib/contract/route.ts';",
    'functions/one/stores/things.ts':
      "import { GetCommand } from '@aws-sdk/lib-dynamodb';\nimport { thing } from '../rules/thing.ts';",
    'functions/one/workflows/move-thing.ts':
      "import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';\nimport { get } from '../stores/things.ts';",
    'functions/one/jobs/import-things.ts':
      "import { readFile } from 'node:fs/promises';\nimport { moveThing } from '../workflows/move-thing.ts';",
    'functions/one/handlers/list-things.ts':
      "import { serve } from '../../../lib/runtime/serve.ts';\nimport { get } from '../stores/things.ts';",
    'functions/two/routes.ts': 'export const readOne = route({});\nexport const readTwo = route({});',
    'functions/three/rules/far.ts': 'export const far = 1;',
    'functions/three/rules.ts': "export { far } from './rules/far.ts';",
    'functions/two/handlers/read-one.ts':
      "import { get } from '../../one/exports.ts';\nimport { ThingGone } from '../../one/errors.ts';",
    'functions/two/handlers/read-two.ts': "import { readTwo } from '../routes.ts';",
    'functions/two/stores/twos.ts': "import { get } from '../../one/exports.ts';",
  };
  const check = (file: string, line: string) =>
    violations(new Map(Object.entries({ ...tree, [file]: `${tree[file] ?? ''}\n${line}` })));

  const isCircle = (line: string) => /: (files|layers|domains) that import one another$/.test(line);

  test('a tree in order has none', () => {
    expect(violations(new Map(Object.entries(tree)))).toEqual([]);
  });

  test.each([
    ['lib/contract/route.ts', "import { serve } from '../runtime/serve.ts';", 'lib/contract is pure'],
    ['lib/contract/route.ts', "import { readFile } from 'node:fs/promises';", 'lib/contract is pure'],
    ['lib/contract/route.ts', "import { listThings } from '../../functions/one/routes.ts';", 'lib/contract is pure'],
    ['lib/runtime/serve.ts', "import { domains } from '../../functions/domains.ts';", 'lib/runtime is bundled'],
    ['lib/runtime/serve.ts', "import { get } from '../../functions/one/exports.ts';", 'lib/runtime is bundled'],
    ['lib/runtime/serve.ts', "import type { Stage } from '../local/stage.ts';", 'lib/runtime is bundled'],
    ['lib/runtime/serve.ts', "import { app } from '../stack/app.ts';", 'lib/runtime is bundled'],
    ['lib/runtime/serve.ts', "import { Stack } from 'aws-cdk-lib/core';", 'lib/runtime is bundled'],
    ['lib/runtime/serve.ts', "import { build } from 'esbuild';", 'lib/runtime is bundled'],
    ['lib/contract/route.ts', "import { applications } from '../../functions/product.ts';", 'lib/contract is pure'],
    ['lib/runtime/serve.ts', "import { applications } from '../../functions/product.ts';", 'lib/runtime is bundled'],
    ['lib/bundle/bundle.ts', "import { domains } from '../../functions/domains.ts';", 'of whichever product'],
    ['lib/bundle/bundle.ts', "import { product } from '../../bin/product.ts';", 'of whichever product'],
    ['lib/stack/app.ts', "import { domains } from '../../functions/domains.ts';", 'gets the product as an argument'],
    ['lib/stack/app.ts', "import type { settings } from '../../functions/settings.ts';", 'gets the product'],
    ['lib/local/stage.ts', "import { seededUsers } from '../../functions/product.ts';", 'knows the template'],
    ['lib/local/synth-worker.ts', "import { product } from '../../functions/product.ts';", 'make the template'],
    ['functions/product.ts', "import { domains } from './domains.ts';", 'those of no domain'],
    ['functions/product.ts', "import { ThingGone } from './one/errors.ts';", 'those of no domain'],
    ['functions/domains.ts', "import { product } from './product.ts';", 'each index.ts hands on'],
    ['functions/gateway/authorizer.ts', "import { get } from '../one/exports.ts';", "gateway's own functions"],
    ['functions/gateway/authorizer.ts', "import { ThingGone } from '../one/errors.ts';", "gateway's own functions"],
    ['lib/bundle/bundle.ts', "import { app } from '../stack/app.ts';", 'builds the code'],
    ['lib/bundle/bundle.ts', "import { serve } from '../runtime/serve.ts';", 'builds the code'],
    [
      'lib/bundle/bundle.ts',
      "import { handler } from '../../functions/one/handlers/list-things.ts';",
      'builds the code',
    ],
    ['lib/stack/app.ts', "import { bundle } from '../bundle/bundle.ts';", 'no domain, and nothing'],
    [
      'lib/stack/app.ts',
      "import { handler } from '../../functions/one/handlers/list-things.ts';",
      'no domain, and nothing',
    ],
    ['lib/stack/app.ts', "import { get } from '../../functions/one/stores/things.ts';", 'no domain, and nothing'],
    ['lib/stack/app.ts', "import { listThings } from '../../functions/one/routes.ts';", 'no domain, and nothing'],
    ['lib/stack/app.ts', "import { ThingGone } from '../../functions/one/errors.ts';", 'no domain, and nothing'],
    ['lib/stack/app.ts', "import { get } from '../../functions/one/exports.ts';", 'no domain, and nothing'],
    ['lib/stack/app.ts', "import { stage } from '../local/stage.ts';", 'no domain, and nothing'],
    ['lib/local/stage.ts', "import { domains } from '../../functions/domains.ts';", 'knows the template'],
    ['lib/local/stage.ts', "import { serve } from '../runtime/serve.ts';", 'knows the template'],
    ['lib/local/stage.ts', "import { app } from '../stack/app.ts';", 'knows the template'],
    ['lib/local/stage.ts', "import { bundle } from '../bundle/bundle.ts';", 'knows the template'],
    ['lib/local/synth-worker.ts', "import { domains } from '../../functions/domains.ts';", 'make the template'],
    ['bin/import-things.ts', "import { stage } from '../lib/local/stage.ts';", 'by its public API'],
    ['bin/import-things.ts', "import type { Stage } from '../lib/local/stage.ts';", 'by its public API'],
    ['bin/import-things.ts', "import { handler } from '../functions/one/handlers/list-things.ts';", 'no handler'],
    ['bin/import-things.ts', "import { DuckDBInstance } from '@duckdb/node-api';", 'a command knows'],
    ['bin/import-things.ts', "import { move } from '../functions/one/workflows/move-thing.ts';", 'no workflow'],
    ['lib/stack/app.ts', "import { stage } from '../local/index.ts';", 'no domain, and nothing'],
    ['lib/runtime/serve.ts', "import { stage } from '../local/index.ts';", 'lib/runtime is bundled'],
    ['functions/one/stores/things.ts', "import { stage } from '../../../lib/local/index.ts';", 'a store knows'],
    ['functions/domains.ts', "import { handler } from './one/handlers/list-things.ts';", 'each index.ts hands on'],
    ['functions/domains.ts', "import { get } from './one/exports.ts';", 'each index.ts hands on'],
    ['functions/domains.ts', "import * as two from './two/routes.ts';", 'each index.ts hands on'],
    ['functions/one/index.ts', "export { get } from './stores/things.ts';", 'hands on the declarations'],
    ['functions/one/index.ts', "export * as routes from '../two/routes.ts';", 'hands on the declarations'],
    [
      'functions/one/errors.ts',
      "import { listThings } from './routes.ts';",
      'import lib/contract, zod and one another',
    ],
    [
      'functions/one/errors.ts',
      "import { guide } from './errors-guide.ts';",
      'import lib/contract, zod and one another',
    ],
    ['functions/one/handlers/list-things.ts', "import { guide } from '../errors-guide.ts';", 'no handler'],
    ['functions/one/routes.ts', "import { serve } from '../../lib/runtime/serve.ts';", 'has no logic'],
    ['functions/one/routes.ts', "import { thing } from './rules/thing.ts';", 'has no logic'],
    ['functions/one/routes.ts', "import { get } from './stores/things.ts';", 'has no logic'],
    ['functions/one/exports.ts', "export { thing } from './rules/thing.ts';", 'hands stores'],
    ['functions/one/exports.ts', "export { twos } from '../two/stores/twos.ts';", 'hands stores'],
    ['functions/one/exports.ts', "export { handler } from './handlers/list-things.ts';", 'hands stores'],
    ['functions/one/rules/thing.ts', "import { route } from '../../../lib/contract/route.ts';", 'a rule is pure'],
    ['functions/one/rules/thing.ts', "import { serve } from '../../../lib/runtime/serve.ts';", 'a rule is pure'],
    ['functions/one/rules/thing.ts', "import { get } from '../stores/things.ts';", 'a rule is pure'],
    ['functions/one/rules/thing.ts', "import type { Thing } from '../stores/things.ts';", 'a rule is pure'],
    ['functions/one/rules/thing.ts', "import { get } from '../exports.ts';", 'a rule is pure'],
    ['functions/one/rules/thing.ts', "import { moveThing } from '../workflows/move-thing.ts';", 'a rule is pure'],
    ['functions/one/rules/thing.ts', "import { listThings } from '../routes.ts';", 'a rule is pure'],
    ['functions/one/rules/thing.ts', "import type { readOne } from '../../two/routes.ts';", 'a rule is pure'],
    ['functions/one/rules/thing.ts', "import { GetCommand } from '@aws-sdk/lib-dynamodb';", 'a rule is pure'],
    ['functions/one/rules/thing.ts', "import { randomUUID } from 'node:crypto';", 'a rule is pure'],
    ['functions/one/rules/thing.ts', "import * as crypto from 'node:crypto';", 'a rule is pure'],
    ['functions/one/rules/thing.ts', "import { inspect } from 'node:util';", 'a rule is pure'],
    ['functions/one/rules/thing.ts', "import { twos } from '../../two/stores/twos.ts';", 'a rule is pure'],
    ['functions/one/rules/thing.ts', "import { far } from '../../three/rules/far.ts';", 'a rule is pure'],
    ['functions/one/rules/thing.ts', "import type { Far } from '../../three/rules/far.ts';", 'a rule is pure'],
    ['functions/one/stores/things.ts', "import { far } from '../../three/rules/far.ts';", 'a store knows'],
    ['functions/one/workflows/move-thing.ts', "import { far } from '../../three/rules/far.ts';", 'to a store'],
    ['functions/one/jobs/import-things.ts', "import { far } from '../../three/rules/far.ts';", 'a job knows'],
    ['functions/two/handlers/read-one.ts', "import { far } from '../../three/rules/far.ts';", 'no handler'],
    ['bin/import-things.ts', "import { far } from '../functions/three/rules/far.ts';", 'a command knows'],
    ['functions/three/rules.ts', "export type { Thing } from '../one/rules/thing.ts';", 'hands rules'],
    ['functions/three/rules.ts', "export type { Get } from './stores/fars.ts';", 'hands rules'],
    ['functions/three/stores/fars.ts', "import { far } from '../rules.ts';", 'a store knows'],
    ['functions/one/jobs/import-things.ts', "import { get } from '../exports.ts';", 'a job knows'],
    ['functions/one/stores/things.ts', "import { handler } from '../handlers/list-things.ts';", 'a store knows'],
    ['functions/one/stores/things.ts', "import { moveThing } from '../workflows/move-thing.ts';", 'a store knows'],
    ['functions/one/stores/things.ts', "import { twos } from '../../two/stores/twos.ts';", 'a store knows'],
    ['functions/one/workflows/move-thing.ts', "import { GetCommand } from '@aws-sdk/lib-dynamodb';", 'to a store'],
    ['functions/one/workflows/move-thing.ts', "import { readFile } from 'node:fs/promises';", 'to a store'],
    ['functions/one/workflows/move-thing.ts', "import { twos } from '../../two/stores/twos.ts';", 'to a store'],
    ['functions/one/workflows/move-thing.ts', "import { handler } from '../handlers/list-things.ts';", 'to a store'],
    ['functions/one/workflows/move-thing.ts', "import { run } from '../jobs/import-things.ts';", 'to a store'],
    ['functions/one/jobs/import-things.ts', "import { handler } from '../handlers/list-things.ts';", 'a job knows'],
    ['functions/one/jobs/import-things.ts', "import { twos } from '../../two/stores/twos.ts';", 'a job knows'],
    ['functions/one/jobs/import-things.ts', "import { Stack } from 'aws-cdk-lib/core';", 'a job knows'],
    ['functions/two/handlers/read-one.ts', "import { handler } from './read-two.ts';", 'no handler'],
    [
      'functions/two/handlers/read-one.ts',
      "import { handler } from '../../one/handlers/list-things.ts';",
      'no handler',
    ],
    ['functions/two/handlers/read-one.ts', "import { run } from '../../one/jobs/import-things.ts';", 'no handler'],
    ['functions/two/handlers/read-one.ts', "import { move } from '../../one/workflows/move-thing.ts';", 'no handler'],
    ['functions/two/handlers/read-one.ts', "import { get } from '../../one/stores/things.ts';", 'no handler'],
    ['functions/two/handlers/read-one.ts', "import { listThings } from '../../one/routes.ts';", 'no handler'],
    ['functions/two/handlers/read-one.ts', "import { GetCommand } from '@aws-sdk/lib-dynamodb';", 'no handler'],
    ['functions/two/handlers/read-one.ts', "import { Stack } from 'aws-cdk-lib/core';", 'no handler'],
    ['functions/two/handlers/read-one.ts', "const late = await import('../../one/stores/things.ts');", 'no handler'],
    ['lib/runtime/serve.ts', "import { withAccess } from '../../functions/access/check.ts';", 'no domain'],
    ['functions/access/check.ts', "import { get } from '../one/stores/things.ts';", 'no domain'],
    ['functions/access/data-subject.ts', "import { serve } from '../../lib/runtime/serve.ts';", 'is lib/contract for'],
    ['functions/one/rules/thing.ts', "import { withAccess } from '../../access/check.ts';", 'a rule is pure'],
    ['functions/one/routes.ts', "import { withAccess } from '../access/check.ts';", 'has no logic'],
    ['functions/one/routes.ts', "import { dataSubjectRules } from '../access/data-subject-rules.ts';", 'has no logic'],
    ['functions/generated/iam-permissions.ts', "import type { Gone } from '../one/errors.ts';", 'no code of a domain'],
    ['functions/generated/iam-permissions.ts', "import { Things } from '../one/tables.ts';", 'no code of a domain'],
    ['functions/one/tables.ts', "import { thing } from './rules/thing.ts';", 'by its type'],
    ['functions/two/tables.ts', "import type { Thing } from '../one/rules/thing.ts';", 'by its type'],
    [
      'functions/generated/iam-permissions.ts',
      "import { z } from '../../lib/contract/route.ts';",
      'no code of a domain',
    ],
    ['functions/one/stores/things.ts', "import { all } from '../../generated/iam-permissions.ts';", 'a store knows'],
    ['functions/generated/by-hand.ts', '', 'is in no layer'],
    ['functions/two/handlers/two.ts', '', 'is in no layer'],
    ['functions/two/thing.ts', '', 'is in no layer'],
    ['functions/one/stores/thing.ts', '', 'has the name of functions/one/rules/thing.ts'],
  ])('%s: %s', (file, line, says) => {
    // What breaks a rule often closes a circle, too; and nobody uses what a public API must not have.
    const found = check(file, line).filter((each) => !isCircle(each) && !each.endsWith('which no other domain uses'));
    expect(found).toEqual([expect.stringMatching(new RegExp(`^${file}: .*${says}`))]);
  });

  test.each([
    'const now = new Date();',
    'const now = new Date;',
    'const now = Date();',
    'const now = Date.now();',
    `const text = \`at \${Date.now()}\`;`,
    'const id = Math.random();',
    'const id = crypto.randomUUID();',
    'const from = performance.now();',
    'const stage = process.env.STAGE;',
    "const answer = await fetch('https://example.com');",
    'const found = globalThis.Date;',
    'const timer = setTimeout(done, 1);',
  ])('a rule is given its time, ids and randomness: %s', (line) => {
    const found = check('functions/one/rules/thing.ts', line);
    expect(found).toEqual([expect.stringMatching(/^functions\/one\/rules\/thing\.ts: asks .* as arguments$/)]);
    expect(check('functions/one/stores/things.ts', line)).toEqual([]);
  });

  test.each([
    'const day = new Date(now).toISOString();',
    'const made = (at: Date) => Date.parse(text) + Date.UTC(2026, 0, 1);',
    '// Date.now() is an argument',
    '/** Never new Date(). */',
    "const says = 'fetch(it), Date.now()';",
    'const { process } = work; work.process.now(); prefetch(now);',
  ])('and may calculate with it: %s', (line) => {
    expect(check('functions/one/rules/thing.ts', line)).toEqual([]);
  });

  test.each([
    ['of two', 'functions/one/rules/other.ts', "import { thing } from './thing.ts';"],
    ['of itself', 'functions/one/rules/other.ts', "import { other } from './other.ts';"],
    ['by a re-export', 'functions/one/rules/other.ts', "export { thing } from './thing.ts';"],
    ['of types', 'functions/one/rules/other.ts', "import type { Thing } from './thing.ts';"],
    ['of types, in lib/local', 'lib/local/stage.ts', "import type { Door } from './index.ts';"],
    ['of types, in a command', 'bin/product.ts', "import type { Product } from './product.ts';"],
  ])('a circle %s', (_, file, line) => {
    const found = check(file, line).filter(isCircle);
    expect(found).toEqual([expect.stringContaining(file)]);
  });

  test('a circle over another domain', () => {
    const found = check('functions/three/rules/far.ts', "import { thing } from '../../one/rules.ts';");
    expect(found).toContain(
      'functions/three/rules/far.ts: imports functions/one/rules.ts: one → three → one: domains that import one another',
    );
  });

  test.each([
    ['at run time', "import { Gone } from '../one/errors.ts';"],
    ['by a type', "import type { Gone } from '../one/errors.ts';"],
  ])('two domains import each other, %s: each import on the circle is named', (_, line) => {
    expect(check('functions/three/errors.ts', line)).toEqual([
      'functions/one/rules/thing.ts: imports functions/three/rules.ts: one → three → one: domains that import one another',
      'functions/three/errors.ts: imports functions/one/errors.ts: one → three → one: domains that import one another',
    ]);
  });

  test('three domains in a circle', () => {
    const found = check('functions/three/errors.ts', "import type { readOne } from '../two/tables.ts';");
    expect(found).toHaveLength(5);
    expect(found.every((line) => line.endsWith('one → three → two → one: domains that import one another'))).toBe(true);
  });

  test('what gathers all domains is on no circle', () => {
    const line = "import { get } from '../../one/exports.ts';";
    expect(check('functions/erasure/workflows/own-erasers-generated.ts', line)).toEqual([]);
    expect(check('functions/one/errors.ts', "import { Accounts } from '../erasure/tables.ts';")).toEqual([]);
  });

  test('a dependency between layers that leads up', () => {
    const found = check('functions/one/stores/things.ts', "import { moveThing } from '../workflows/move-thing.ts';");
    expect(found).toContain(
      'functions/one/stores/things.ts: imports functions/one/workflows/move-thing.ts: store → workflow → store: layers that import one another',
    );
  });

  test('a public API hands on what nobody uses', () => {
    expect(check('functions/three/rules.ts', "export { near } from './rules/near.ts';")).toEqual([
      'functions/three/rules.ts: hands on near, which no other domain uses',
    ]);
    expect(check('functions/three/exports.ts', "export { near } from './stores/near.ts';")).toContain(
      'functions/three/exports.ts: hands on near, which no other domain uses',
    );
  });

  test.each([
    'register(near);',
    "names['near'] = 1;",
    'names.near ??= 1;',
    'names.near += 1;',
    'names?.add(near);',
    'new Near();',
    '(() => near())();',
    '[near].forEach(register);',
    'near++;',
    'if (near) far();',
    'let near = 1;',
    'export let near = 1;',
    'export default far();',
    'await far();',
  ])('a rule acts when it is loaded: %s', (line) => {
    const effect = `functions/one/rules/near.ts: has the statement ${line}: loading a rule has no effect`;
    expect(check('functions/one/rules/near.ts', line)).toContain(effect);
  });

  test('and may declare', () => {
    const lines = [
      '/* register(near); */',
      '// far();',
      'const text = `',
      'far();',
      '`;',
      'export const near = {',
      '};',
    ];
    expect(check('functions/one/rules/near.ts', lines.join('\n'))).toEqual([]);
  });

  test('a tree in order shows its dependencies, the lowest first', () => {
    const lines = dependenciesIn(new Map(Object.entries(tree)));
    const [layers, domains] = [lines.slice(1, lines.indexOf('')), lines.slice(lines.indexOf('') + 2)];
    expect(domains).toEqual(['  three', '  one: three', '  two: one']);
    expect(layers.indexOf('  contract')).toBeLessThan(layers.indexOf('  stack'));
    expect(layers).toContain('  store: rule');
    expect(layers).toContain('  rule API: rule');
  });
});

test.each<[string, Record<string, string[]>, string[]]>([
  ['none', { a: ['b', 'c'], b: ['c'], c: [] }, []],
  ['the shortest way round', { b: ['c'], c: ['d'], d: ['b', 'a'], a: ['b'] }, ['a → b → c → d → a']],
  ['two beside one another', { a: ['b'], b: ['a', 'c'], c: ['d'], d: ['c'] }, ['a → b → a', 'c → d → c']],
  ['one that is entered from outside', { x: ['b'], a: ['b'], b: ['a'] }, ['a → b → a']],
])('circles: %s', (_, imports, expected) => {
  expect(circlesIn(new Map(Object.entries(imports)))).toEqual(expected);
});
