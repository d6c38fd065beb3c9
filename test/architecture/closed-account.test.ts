import { expect, test } from 'vitest';
import { domains, operations } from '../../functions/domains.ts';
import { authOf } from '../../lib/contract/route.ts';
import { ofKind } from '../../lib/contract/uses.ts';

/**
 * What keeps a new route from writing for a closed account: its author does nothing, and cannot do it otherwise
 * (test/erasure/closed-account.slow.test.ts closes accounts under the routes' writes).
 */

const named = operations.filter(({ route }) => authOf(route) !== 'public');

/** About whom somebody may ask to be erased. */
const personal = new Set(
  Object.values(domains).flatMap(({ tables = {}, data = {} }) =>
    Object.entries(tables).flatMap(([name, { name: table }]) => (data[name]?.people.length ? [table] : [])),
  ),
);

test('what a route writes of people it writes in transactions, where the account’s condition is put', () => {
  const found = named.filter(({ route }) =>
    ofKind(route.uses, 'table').some(
      ({ table, access }) => personal.has(table.name) && (access === 'write' || access === 'remove'),
    ),
  );
  expect(found.map(({ id }) => id)).toEqual([]);
});

test('a route without a table for the account says that it answers closed accounts', () => {
  const without = named.filter(({ route }) => ofKind(route.uses, 'table').length === 0);
  expect(without.filter(({ route }) => route.closedAccount === undefined).map(({ id }) => id)).toEqual([]);
});
