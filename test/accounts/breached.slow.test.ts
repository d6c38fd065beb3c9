import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { breachedModule, keptOf } from '../../bin/breached-module.ts';
import { loadTool } from '../../bin/tools.ts';
import { isBreached } from '../../functions/accounts/rules/breached.ts';
import { count } from '../../functions/accounts/rules/breached-generated.ts';

const root = new URL('../../', import.meta.url);

test('the kept list is the one of the package that it names, and each of its passwords is refused', async () => {
  type List = { breachedPasswords: () => string[] };
  const { breachedPasswords } = await loadTool<List>(new URL('bin/tools/passwords/list.ts', root));
  const source = breachedPasswords();
  const written = readFileSync(new URL('functions/accounts/rules/breached-generated.ts', root), 'utf8');
  expect(breachedModule(source) === written).toBe(true);
  expect(keptOf(source)).toHaveLength(count);
  expect(keptOf(source).filter((password) => !isBreached(password))).toEqual([]);
});
