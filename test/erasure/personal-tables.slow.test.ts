import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { domains, ownedTables } from '../../functions/domains.ts';
import type { OwnedTable } from '../../lib/contract/declarations.ts';
import type { Person, TableData } from '../../lib/contract/personal-data.ts';
import { eventually } from '../eventually.ts';
import type { PersonalRows } from '../personal-rows.ts';
import { erasureStage } from './stage.ts';

/**
 * Tests every table that the domains declare as personal. Each gets rows of a user, before and after the request to delete
 * the account, and is checked when the account is erased.
 */

const stand = erasureStage();

const personal = ownedTables.filter(({ data }) => data.people.length > 0);

/** What happens to the rows of the user whose account is erased. */
function fateOf({ people }: TableData): 'erased' | 'pseudonymous' | 'kept' {
  const fates = people.map(({ onErasure }: Person) => {
    if (onErasure === 'erase') return 'erased';
    return 'becomes' in onErasure ? onErasure.becomes : 'kept';
  });
  return fates.find((fate) => fate !== 'kept') ?? 'kept';
}

async function rowsWith(table: string, text: string): Promise<Record<string, unknown>[]> {
  const TableName = stand.stage().data.tables(table);
  const found: Record<string, unknown>[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await stand.data().send(new ScanCommand({ TableName, ConsistentRead: true, ExclusiveStartKey }));
    found.push(...(page.Items ?? []).filter((row) => JSON.stringify(row).includes(text)));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return found;
}

/** A row under the person's id, as a user who is still signed in might write it. */
async function putGeneric({ table, data }: OwnedTable, userId: string, canary: string): Promise<void> {
  const { name, partitionKey, sortKey } = table;
  if (!data.people.some(({ found }) => found === 'partition')) throw new Error(`${name} is found by no key`);
  const key = { [partitionKey]: userId, ...(sortKey && { [sortKey]: randomUUID() }) };
  // The closing ends sessions, each by the time of its last renewal.
  await stand.put(name, { ...key, canary, renewedAt: new Date().toISOString() });
}

async function makeRows(someone: Awaited<ReturnType<typeof stand.person>>, canary: string): Promise<void> {
  const { userId, call } = someone;
  const admin = await stand.admin();
  for (const domain of Object.keys(domains)) {
    const file = new URL(`../${domain}/personal-rows.ts`, import.meta.url);
    if (!existsSync(file)) continue;
    const { personalRows }: { personalRows: PersonalRows } = await import(file.href);
    await personalRows({ userId, canary, call, admin, put: stand.put });
  }
}

const generic = personal.filter(({ data }) => data.people.some(({ onErasure }) => onErasure === 'erase'));

test('every table with a person’s id as its key is declared as personal', () => {
  const byPerson = ownedTables.filter(({ table: { partitionKey, sortKey = '' } }) =>
    [partitionKey, sortKey].some((key) => /^user/i.test(key)),
  );
  expect(byPerson.length).toBeGreaterThan(4);
  expect(byPerson.filter(({ data }) => data.people.length === 0).map(({ table }) => table.name)).toEqual([]);
});

test('every personal table: nothing is deleted while a token is valid, then all declared rows are deleted, and the person can write nothing more', async () => {
  const canary = `canary-${randomUUID()}`;
  const someone = await stand.person();
  const { userId, email, call } = someone;
  await makeRows(someone, canary);
  for (const each of generic) await putGeneric(each, userId, canary);
  expect((await call('DELETE', '/users/me')).status).toBe(200);
  for (const { table } of personal) {
    await eventually(async () => {
      expect(
        await rowsWith(table.name, userId),
        `test/<domain>/personal-rows.ts makes one of ${table.name}`,
      ).not.toEqual([]);
    });
  }

  // Rows that are put there nevertheless must be gone at the end.
  for (const each of generic) await putGeneric(each, userId, canary);
  const again = await someone.again();
  expect((await again('PATCH', '/users/me', { locale: 'de' })).body.code).toBe('ACCOUNT_CLOSED');
  const late = { platform: 'ios', environment: 'sandbox', token: 'f'.repeat(64), appVersion: canary, locale: 'de' };
  expect((await again('PUT', '/users/me/devices/late', late)).body.code).toBe('ACCOUNT_CLOSED');
  const before = new Map<string, number>();
  for (const { table } of personal) before.set(table.name, (await rowsWith(table.name, userId)).length);
  expect(await stand.run('erase-accounts')).toMatchObject({ ok: true });
  for (const { table } of personal) {
    expect((await rowsWith(table.name, userId)).length, table.name).toBeGreaterThanOrEqual(before.get(table.name) ?? 1);
  }

  // What follows a stream has followed it.
  await stand.stage().idle();
  await stand.endAccess(userId);
  expect(await stand.run('erase-accounts')).toMatchObject({ ok: true });
  for (const { table, data } of personal) {
    const left = await rowsWith(table.name, userId);
    const fate = fateOf(data);
    if (fate === 'erased') expect(left, table.name).toEqual([]);
    if (fate === 'pseudonymous') {
      expect(
        left.map((row) => Object.keys(row).toSorted()),
        table.name,
      ).toEqual([['erasedAt', table.partitionKey]]);
    }
    if (fate === 'kept') expect(left, table.name).not.toEqual([]);
  }
  for (const { table } of ownedTables) {
    for (const said of [email, canary]) expect(await rowsWith(table.name, said), table.name).toEqual([]);
  }
});

test('the address row is deleted with its user, too', async () => {
  const someone = await stand.person();
  await someone.call('GET', '/users/me');
  const owned = await rowsWith('Users', `"owner":"${someone.userId}"`);
  expect(owned).toHaveLength(1);
  await someone.call('DELETE', '/users/me');
  await stand.endAccess(someone.userId);
  await stand.run('erase-accounts');
  expect(await rowsWith('Users', `"owner":"${someone.userId}"`)).toEqual([]);
});
