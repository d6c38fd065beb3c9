import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { keepSignIn, readSignIns } from '../../functions/auth/stores/sign-ins.ts';
import { localTables } from '../local-tables.ts';

const { client, tables } = await localTables(['SignIns']);
const table = tables.SignIns;

const now = new Date('2026-12-01T12:00:00.000Z');
const dayMs = 86_400_000;
const daysAgo = (days: number, ms = 0) => new Date(now.getTime() - days * dayMs + ms);
const keep = (userId: string, at: Date) =>
  keepSignIn(table, {
    userId,
    application: 'sleepcare',
    isNewDevice: false,
    sourceIp: '192.0.2.17',
    now: at,
  });
const read = (userId: string, more: { limit?: number; after?: string | null } = {}) =>
  readSignIns(table, userId, { limit: 20, after: null, now, ...more });

test('a sign-in is shown for 90 days, although its row is still there', async () => {
  // DynamoDB deletes a row days after its end.
  for (const at of [daysAgo(400), daysAgo(90, -1), daysAgo(90, 1), daysAgo(1)]) await keep('a', at);
  const { signIns } = await read('a');
  expect(signIns.map(({ at }) => at)).toEqual([daysAgo(1), daysAgo(90, 1)].map((at) => at.toISOString()));
});

test('a row names no address, and ends 90 days after the sign-in', async () => {
  await keep('b', daysAgo(1));
  const { Items = [] } = await client.send(new ScanCommand({ TableName: 'SignIns' }));
  const row = Items.find(({ userId }) => userId === 'b');
  expect(row).toEqual({
    userId: 'b',
    signInId: expect.stringMatching(/^20261130T120000\.000Z\.[0-9a-f]{16}$/),
    at: '2026-11-30T12:00:00.000Z',
    application: 'sleepcare',
    network: '192.0.2.0/24',
    isNewDevice: false,
    expiresAt: (now.getTime() + 89 * dayMs) / 1000,
  });
});

test('sign-ins of the same millisecond are all kept, and pages lose none', async () => {
  await Promise.all([1, 2, 3, 4, 5].map(() => keep('c', daysAgo(2))));
  const all = await read('c');
  expect(all.signIns).toHaveLength(5);
  const found = [];
  for (let after: string | null = null; ; ) {
    const page = await read('c', { limit: 2, after });
    found.push(...page.signIns);
    after = page.next;
    if (after === null) break;
  }
  expect(found).toEqual(all.signIns);
});
