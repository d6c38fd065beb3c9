import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { consumers, operations } from '../../functions/domains.ts';
import { MailKey } from '../../functions/mail/secrets.ts';
import { ofKind, type Uses } from '../../lib/contract/uses.ts';
import { functionName } from '../../lib/stack/names.ts';
import { poolActions } from './expected-statements.ts';

/** Who may do what in the user pools, beside what decision 62 says of it. */

const functions: readonly { readonly name: string; readonly uses: Uses; readonly isPublic: boolean }[] = [
  ...operations.map(({ id, route }) => ({
    name: functionName(id),
    uses: route.uses ?? [],
    isPublic: route.auth === 'public',
  })),
  ...consumers.map(({ id, consumer }) => ({ name: functionName(id), uses: consumer.uses, isPublic: false })),
];

test('no public function holds an action by which an account is taken over', () => {
  const taking = ['AdminSetUserPassword', 'AdminAddUserToGroup', 'AdminCreateUser', 'AdminUpdateUserAttributes'];
  const found = functions.filter(
    ({ isPublic, uses }) => isPublic && poolActions(uses).some((action) => taking.includes(action)),
  );
  expect(found.map(({ name }) => name).toSorted()).toEqual([]);
});

test('no public function can compute the codes and links of mails', () => {
  const found = functions.filter(
    ({ isPublic, uses }) => isPublic && ofKind(uses, 'secret').some(({ secret }) => secret === MailKey),
  );
  expect(found.map(({ name }) => name)).toEqual([]);
});

test('who only reads holds nothing else', () => {
  const reading = operations.filter(({ route }) => route.method === 'GET');
  for (const { id, route } of reading) {
    expect(
      poolActions(route.uses ?? []).filter((action) => action !== 'AdminGetUser'),
      id,
    ).toEqual([]);
  }
});

test('the table of decision 62 has each function with its actions', () => {
  const file = new URL('../../docs/decisions/0062-rights-in-user-pools.md', import.meta.url);
  const [, table = ''] = /<!-- pool rights -->(.*)<!-- \/pool rights -->/s.exec(readFileSync(file, 'utf8')) ?? [];
  const namesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '');
  const written = table.split('\n').flatMap((line) => {
    const [, names, , actions] = line.split('|');
    return namesIn(names).map((name) => [name, namesIn(actions).toSorted().join()] as const);
  });
  const held = functions.flatMap(({ name, uses }) => {
    const actions = poolActions(uses).toSorted().join();
    return actions === '' ? [] : [[name, actions] as const];
  });
  expect(written.toSorted()).toEqual(held.toSorted());
});
