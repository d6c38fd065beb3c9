import { expect, test } from 'vitest';
import { operations, references } from '../../functions/domains.ts';
import { authOf, isGuarded } from '../../lib/contract/route.ts';
import { writtenOwnWrites } from '../own-writes.ts';

/** What somebody has to write for each route. Slow tests send it; here nothing is missing. */

test('each operation has an example', () => {
  const named = new Set(Object.values(references).flatMap(({ examples }) => Object.keys(examples)));
  const missing = operations
    .filter(({ id }) => !named.has(id))
    .map(({ id, domain }) => `${id}: functions/${domain}/reference.ts`);
  expect(missing, 'write an example of the operation there').toEqual([]);
});

test('each route that writes its caller’s own data has a request for test/erasure/closed-account.slow.test.ts', async () => {
  const own = operations.filter(({ route }) => /:(write|end)-own$/.test(authOf(route)) && isGuarded(route));
  const written = Object.keys(await writtenOwnWrites());
  const missing = own
    .filter(({ id }) => !written.includes(id))
    .map(({ id, domain }) => `${id}: test/${domain}/own-writes.ts`);
  expect(missing, 'write a request of the route there').toEqual([]);
  expect(
    written.filter((id) => !own.some((each) => each.id === id)),
    'no such route',
  ).toEqual([]);
});
