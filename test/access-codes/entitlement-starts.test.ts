import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { startKey, startOf, startShards } from '../../functions/access-codes/rules/entitlement-start.ts';
import { readEntitlementPage } from '../../functions/access-codes/stores/entitlement-rows.ts';
import { readStarts } from '../../functions/access-codes/stores/entitlement-starts.ts';
import { putRow } from '../../lib/runtime/rows.ts';
import { openCodes } from './open-codes.ts';

const codes = await openCodes();
afterAll(() => codes.close());

/** A day of this test's own. */
const at = (date: string) => new Date(`${date}T23:30:00.000Z`);

async function startsOn(date: string, programmeId = 'insomnia-basic', after: string | null = null) {
  const { tables } = codes.place;
  const found = [];
  for await (const each of readStarts(tables, { programmeId, date, after })) found.push(each);
  return found;
}

const erase = (userId: string) => codes.erase(userId);

describe('who started on a day', () => {
  test('each once, from any shard; nobody from another day or programme', async () => {
    const people = Array.from({ length: 12 }, () => randomUUID());
    const texts = await codes.issued(people.length);
    await Promise.all(
      people.map((userId, index) => codes.redeem(texts[index] ?? '', { userId, now: at('2026-05-01') })),
    );
    const found = await startsOn('2026-05-01');
    expect(found.map(({ userId }) => userId).toSorted()).toEqual(people.toSorted());
    expect(found[0]).toMatchObject({
      programmeId: 'insomnia-basic',
      startsAt: '2026-05-01T23:30:00.000Z',
    });
    expect(await startsOn('2026-05-02')).toEqual([]);
    expect(await startsOn('2026-05-01', 'another')).toEqual([]);
    for (const [index, { entitlementId }] of found.entries()) {
      const rest = await startsOn('2026-05-01', 'insomnia-basic', entitlementId);
      expect(rest).toEqual(found.slice(index + 1));
    }
    const used = (await codes.rows('EntitlementStarts')).map(({ start }) => start);
    expect(new Set(used).size).toBeGreaterThan(1);
  });

  test('a second code counts from its own start', async () => {
    const [first = '', second = ''] = await codes.issued(2);
    const userId = randomUUID();
    for (const code of [first, second]) await codes.redeem(code, { userId, now: at('2026-08-01') });
    expect(await startsOn('2026-08-01')).toHaveLength(1);
    expect(await startsOn('2026-08-31')).toMatchObject([{ userId }]);
  });
});

test('an erasure deletes all rows of the user, and of nobody else; a second one changes nothing', async () => {
  const texts = await codes.issued(3);
  const [userId, other] = [randomUUID(), randomUUID()];
  for (const [index, who] of [userId, userId, other].entries()) {
    await codes.redeem(texts[index] ?? '', { userId: who, now: at('2026-10-01') });
  }
  await erase(userId);
  await erase(userId);
  for (const name of ['Entitlements', 'EntitlementStarts'] as const) {
    const people = (await codes.rows(name)).map((row) => row.userId);
    expect(people, name).not.toContain(userId);
    expect(people, name).toContain(other);
  }
});

test("an erasure takes an insurer's code, too; that it was redeemed stays known", async () => {
  const [userId, code] = [randomUUID(), 'ZZA234567ABCDEFP'];
  await codes.redeem(code, { userId });
  const [{ accessCodeId } = { accessCodeId: '' }] = (await codes.rows('Entitlements')).filter(
    (row) => row.userId === userId,
  );
  const sealed = async () => (await codes.rows('IssuedAccessCodes')).filter(({ batchId }) => batchId === accessCodeId);
  expect(await sealed()).toHaveLength(1);
  await erase(userId);
  expect(await sealed()).toEqual([]);
  expect(await codes.redeem(code)).toEqual({ outcome: 'redeemed' });
});

test('the key follows only from the row', () => {
  const row = { programmeId: 'p', startsAt: '2026-11-22T23:59:59.999Z', entitlementId: 'ab' };
  const keys = startShards.map((shard) => startKey('p', '2026-11-22', shard));
  expect(keys).toContain(startOf(row));
});

test('a page that a planted row ends leads on to the next one', async () => {
  const { tables } = codes.place;
  const userId = randomUUID();
  const [text = ''] = await codes.issued(1);
  await codes.redeem(text, { userId, now: at('2026-05-03') });
  // Sorts after each id of ours, and grants nothing.
  await putRow(tables.Entitlements, { userId, entitlementId: '~', endedAt: '2026-05-03T00:00:00.000Z' });
  const wanted = { userId, limit: 1, now: at('2026-05-04') };
  const first = await readEntitlementPage(tables, { ...wanted, after: null });
  expect(first).toEqual({ entitlements: [], next: '~' });
  const second = await readEntitlementPage(tables, { ...wanted, after: first.next });
  expect(second).toMatchObject({ entitlements: [{ programmeId: 'insomnia-basic' }], next: null });
});
