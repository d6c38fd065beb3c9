import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type Globals, globalNames, openModules } from '../../../lib/local/functions/modules.ts';

const globals = Object.fromEntries(globalNames.map((name) => [name, Reflect.get(globalThis, name)])) as Globals;

/** Files of a project, by path. */
function project(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'modules-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const modules = openModules(root, { globals, provide: () => undefined });
  return (file: string) => {
    const loaded = modules.environment(globals, () => undefined);
    return loaded(join(root, file)).handler as () => unknown;
  };
}

test('an environment has modules of its own, but for what has no state', () => {
  const load = project({
    'functions/some/rules/list.ts': 'export const marked = {};',
    'functions/some/stores/count.ts': 'export const count = { calls: 0 };',
    'functions/some/handlers/one.ts': `
      import { marked } from '../rules/list.ts';
      import { count } from '../stores/count.ts';
      export const handler = () => [marked, (count.calls += 1)];`,
  });
  const [one, other] = [load('functions/some/handlers/one.ts'), load('functions/some/handlers/one.ts')];
  const [[marked, first], [same, second]] = [one(), other()] as [[object, number], [object, number]];
  expect([first, second]).toEqual([1, 1]);
  expect(same).toBe(marked);
});

test.each([
  ['a list', 'export const kept: unknown[] = [];', 'kept.push(1)'],
  ['an object', 'export const kept: Record<string, unknown> = {};', 'kept.left = 1'],
  ['what a list has', 'export const kept = [{ names: [] as unknown[] }];', 'kept[0].names.push(1)'],
  ['what an object has', "export const kept = { deep: { names: ['a'] } };", "kept.deep.names[0] = 'b'"],
])('a function that leaves something in %s that all functions see fails', (_case, rule, leaves) => {
  const load = project({
    'functions/some/rules/kept.ts': rule,
    'functions/some/handlers/leaves.ts': `
      import { kept } from '../rules/kept.ts';
      export const handler = () => { ${leaves}; };`,
    'functions/some/handlers/reads.ts': `
      import { kept } from '../rules/kept.ts';
      export const handler = () => JSON.stringify(kept);`,
  });
  const reads = load('functions/some/handlers/reads.ts');
  const before = reads();
  expect(load('functions/some/handlers/leaves.ts')).toThrow(TypeError);
  expect(reads()).toBe(before);
});
