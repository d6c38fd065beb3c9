import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { holdersKey } from '../../functions/access-codes/rules/entitlement-start.ts';
import { hashOf } from '../../functions/access-codes/stores/code-keys.ts';
import { readEntitlements } from '../../functions/access-codes/stores/entitlement-rows.ts';
import type { Fault } from '../../lib/local/dynamodb/front.ts';
import { putRow } from '../../lib/runtime/rows.ts';
import { filling } from '../attacks/attacked-stage.ts';
import { type OpenCodes, openCodes } from './open-codes.ts';

/** A batch that is revoked while others work on it, and while the database fails. */

let opened: OpenCodes | undefined;
afterEach(() => opened?.close());

type Plan = { on: string; act: () => Fault | undefined | Promise<Fault | undefined> };

/** Faults of transactions of groups: of their mark unless the plan says otherwise. */
async function open(act: Plan['act'] = () => undefined, on = 'SET revokedAt') {
  const plan: Plan = { on, act };
  opened = await openCodes({
    intercept: (call) => {
      const text = call.action === 'TransactWriteItems' ? JSON.stringify(call.input) : '';
      return text.includes(plan.on) && !text.includes('~batches') ? plan.act() : undefined;
    },
  });
  return { ...opened, plan };
}

/** A batch of two groups and a bit, and who redeemed its first codes. */
async function redeemed(codes: OpenCodes, count: number, size = 34) {
  const batch = await codes.begun(size);
  const texts = (await codes.issue(batch)) ?? [];
  const people = texts.slice(0, count).map((code) => ({ code, userId: randomUUID() }));
  await Promise.all(people.map(({ code, userId }) => codes.redeem(code, { userId })));
  return { batch, texts, people };
}

/** In the row of one of those who have redeemed a code. */
async function plant(codes: OpenCodes, more: (row: Readonly<Record<string, unknown>>) => object) {
  const [row = {}] = await codes.rows('Entitlements');
  await putRow(codes.place.tables.Entitlements, { ...row, ...more(row) } as never);
  return row;
}

const statusesOf = async (codes: OpenCodes, people: readonly { userId: string }[]) =>
  (await Promise.all(people.map(({ userId }) => entitlementsOf(codes, userId)))).flatMap((found) =>
    found.map(({ status }) => status),
  );

async function entitlementsOf({ place }: OpenCodes, userId: string) {
  return readEntitlements(place.tables, { userId, now: new Date() });
}

test('nine conflicts are not its end', async () => {
  let left = 9;
  const codes = await open(() => {
    left -= 1;
    return left >= 0 ? 'conflict' : undefined;
  });
  const batch = await codes.begun(2);
  await codes.issue(batch);
  expect(await codes.revokeBatch(batch.batchId)).toMatchObject({ groups: [{ revokedAt: expect.any(String) }] });
});

test('interrupted between the batch and its groups: a repeated request continues it, with one audit event', async () => {
  let isOut = true;
  const codes = await open(() => (isOut ? 'error' : undefined));
  const batch = await codes.begun(17);
  const texts = (await codes.issue(batch)) ?? [];
  const userId = randomUUID();
  await codes.redeem(texts[0] ?? '', { userId });
  await expect(codes.revokeBatch(batch.batchId, true)).rejects.toThrow();
  // No redemption begins any more, and what was unlocked is not over yet.
  expect(await codes.redeem(texts[1] ?? '')).toEqual({ outcome: 'revoked' });
  expect(await entitlementsOf(codes, userId)).toMatchObject([{ status: 'active' }]);
  isOut = false;
  // Whatever is asked for now: what was decided is carried out.
  await codes.revokeBatch(batch.batchId);
  expect(await entitlementsOf(codes, userId)).toMatchObject([{ status: 'ended' }]);
  expect(await codes.rows('AuditEvents')).toHaveLength(1);
});

describe('ending what a batch unlocked', () => {
  test('ends it for each of its holders, in any group, and for nobody else', async () => {
    const codes = await open();
    const [{ batch, people }, other] = [await redeemed(codes, 34), await redeemed(codes, 1, 1)];
    const answer = await codes.revokeBatch(batch.batchId, true);
    expect(answer?.groups.map(({ entitlementsEndedAt }) => entitlementsEndedAt)).toEqual(
      [0, 1, 2].map(() => answer?.batch.entitlementsEndedAt),
    );
    expect(new Set(await statusesOf(codes, people))).toEqual(new Set(['ended']));
    expect(await statusesOf(codes, other.people)).toEqual(['active']);
  });

  test('broken off between two groups, it is not said to be over, and is gone on with', async () => {
    let ended = 0;
    const codes = await open(() => {
      ended += 1;
      return ended > 1 ? 'error' : undefined;
    }, 'SET entitlementsEndedAt');
    const { batch, people } = await redeemed(codes, 34);
    await expect(codes.revokeBatch(batch.batchId, true)).rejects.toThrow();
    const marks = (await codes.groups(batch.batchId)).filter((group) => group.entitlementsEndedAt !== undefined);
    expect(marks.length).toBeLessThan(3);
    codes.plan.act = () => undefined;
    await codes.revokeBatch(batch.batchId);
    expect(new Set(await statusesOf(codes, people))).toEqual(new Set(['ended']));
    const ends = (await codes.rows('Entitlements')).map(({ endedAt }) => endedAt);
    expect(new Set(ends).size).toBe(1);
    expect(await codes.rows('AuditEvents')).toHaveLength(1);
  });

  test('a redemption that looked before the revocation, and commits just before its group is marked, is ended, too', async () => {
    const [hasLooked, isMarking] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let redeeming: Promise<unknown> | undefined;
    const codes = await openCodes({
      intercept: async (call) => {
        const text = call.action === 'TransactWriteItems' ? JSON.stringify(call.input) : '';
        if (text.includes('ADD redeemed')) {
          hasLooked.resolve();
          await isMarking.promise;
        }
        if (text.includes('SET revokedAt')) {
          isMarking.resolve();
          await redeeming;
        }
        return undefined;
      },
    });
    opened = codes;
    const batch = await codes.begun(1);
    const [code = ''] = (await codes.issue(batch)) ?? [];
    const userId = randomUUID();
    const redemption = codes.redeem(code, { userId });
    redeeming = redemption;
    await hasLooked.promise;
    const revoked = await codes.revokeBatch(batch.batchId, true);
    expect((await redemption).outcome).toBe('done');
    expect(revoked?.groups).toMatchObject([{ redeemed: 1, entitlementsEndedAt: expect.any(String) }]);
    expect(await entitlementsOf(codes, userId)).toMatchObject([{ status: 'ended' }]);
  });

  test.each([1, 2])('holders who are erased meanwhile, %d of them, keep nobody from it', async (erased) => {
    const codes = await open(() => undefined, 'SET endedAt');
    const { batch, people } = await redeemed(codes, 3, 3);
    codes.plan.act = async () => {
      codes.plan.act = () => undefined;
      for (const { userId } of people.slice(0, erased)) await codes.erase(userId);
      return undefined;
    };
    await codes.revokeBatch(batch.batchId, true);
    expect(await statusesOf(codes, people)).toEqual(people.slice(erased).map(() => 'ended'));
    expect(await codes.rows('Entitlements')).toHaveLength(3 - erased);
  });

  test('an entitlement that was ended by itself keeps its earlier time, also if that comes in between', async () => {
    const codes = await open(() => undefined, 'SET endedAt');
    const { batch, people } = await redeemed(codes, 3, 3);
    const idOf = (index: number) => hashOf(['test'], people[index]?.code ?? '');
    await codes.revokeCode(idOf(0), true);
    const before = await entitlementsOf(codes, people[0]?.userId ?? '');
    codes.plan.act = async () => {
      codes.plan.act = () => undefined;
      await codes.revokeCode(idOf(1), true);
      return undefined;
    };
    const answer = await codes.revokeBatch(batch.batchId, true);
    expect(await entitlementsOf(codes, people[0]?.userId ?? '')).toEqual(before);
    expect(await statusesOf(codes, people)).toEqual(['ended', 'ended', 'ended']);
    // Again, one by one: over is over, and nothing is written.
    const rows = await codes.rows('AuditEvents');
    for (const index of [0, 1, 2])
      expect(await codes.revokeCode(idOf(index), true)).toMatchObject({ status: 'redeemed' });
    expect(await codes.rows('AuditEvents')).toEqual(rows);
    const last = await entitlementsOf(codes, people[2]?.userId ?? '');
    expect(last).toMatchObject([{ endsAt: answer?.batch.entitlementsEndedAt }]);
  });

  test.each([
    ['a number', 5],
    ['a list', []],
    ['a time to come', '9999-01-01T00:00:00.000Z'],
    ['a text that sorts before each time', '0'],
    ['null', null],
  ])('an end that is %s keeps neither its entitlement from ending nor the others', async (_is, endedAt) => {
    const codes = await open();
    const { batch, people } = await redeemed(codes, 3, 3);
    await plant(codes, () => ({ endedAt }));
    const answer = await codes.revokeBatch(batch.batchId, true);
    expect(await statusesOf(codes, people)).toEqual(['ended', 'ended', 'ended']);
    expect(answer?.groups).toMatchObject([{ entitlementsEndedAt: answer?.batch.entitlementsEndedAt }]);
    expect((await codes.rows('AuditEvents')).map(({ action }) => action)).toEqual(['access-code-batch.revoked']);
  });

  test('an entitlement whose row takes no end keeps no other from ending, and is said to be left', async () => {
    const codes = await open();
    const { batch } = await redeemed(codes, 3, 3);
    const { entitlementId } = await plant(codes, (row) => ({ fill: filling(row, 'fill') }));
    const ends = async () =>
      (await codes.rows('Entitlements')).map((row) => [row.entitlementId === entitlementId, row.endedAt !== undefined]);
    const answer = await codes.revokeBatch(batch.batchId, true);
    expect((await ends()).toSorted()).toEqual([
      [false, true],
      [false, true],
      [true, false],
    ]);
    expect(answer?.groups[0]?.entitlementsEndedAt).toBeUndefined();
    const left = { action: 'access-code-batch.entitlements-left', after: { entitlementsLeft: 1 } };
    expect((await codes.rows('AuditEvents')).toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1))[1]).toMatchObject(
      left,
    );
  });

  test('marks and rows of a group that nobody honest wrote, and holders who are nobody, end nothing and keep nobody', async () => {
    const codes = await open();
    const { batch, people } = await redeemed(codes, 3, 3);
    const { tables } = codes.place;
    const [group] = await codes.groups(batch.batchId);
    await putRow(tables.AccessCodeBatches, {
      ...group,
      entitlementsEndedAt: '2026-01-01T00:00:00.000Z',
      redeemed: 'x',
    });
    await putRow(tables.AccessCodeBatches, { batchId: batch.batchId, part: 'g0', redeemed: 1 });
    const start = holdersKey({ batchId: batch.batchId, part: 'g00' });
    for (let at = 0; at < 120; at += 1) {
      await putRow(tables.EntitlementStarts, { start, entitlementId: `0-${at}`, userId: randomUUID() });
    }
    await putRow(tables.EntitlementStarts, { start, entitlementId: '1', userId: 7 });
    expect(await codes.revokeBatch(batch.batchId, true)).toBeTruthy();
    expect(await statusesOf(codes, people)).toEqual(['ended', 'ended', 'ended']);
  });

  test('two revocations at once are one, with one audit event', async () => {
    const codes = await open();
    const { batch, people } = await redeemed(codes, 20);
    const answers = await Promise.all([1, 2, 3].map(() => codes.revokeBatch(batch.batchId, true)));
    expect(new Set(answers.map((answer) => answer?.batch.entitlementsEndedAt)).size).toBe(1);
    expect(new Set(await statusesOf(codes, people))).toEqual(new Set(['ended']));
    expect(await codes.rows('AuditEvents')).toHaveLength(1);
  });
});

describe('ending what one code unlocked', () => {
  test('is not kept from it by an end of a time to come, nor by a mark in its group', async () => {
    const codes = await open();
    const { batch, people } = await redeemed(codes, 1, 1);
    const accessCodeId = hashOf(['test'], people[0]?.code ?? '');
    await plant(codes, () => ({ endedAt: 5 }));
    const [group] = await codes.groups(batch.batchId);
    const planted = { ...group, ended: { [accessCodeId]: '2026' }, entitlementsEndedAt: '2026' };
    await putRow(codes.place.tables.AccessCodeBatches, planted as never);
    await codes.revokeCode(accessCodeId, true);
    expect(await statusesOf(codes, people)).toEqual(['ended']);
    expect(await codes.rows('AuditEvents')).toHaveLength(1);
  });

  test('is one transaction: if it fails, nothing has ended and nothing is written', async () => {
    const codes = await open(() => 'error', 'SET endedAt');
    const { people } = await redeemed(codes, 2, 2);
    const accessCodeId = hashOf(['test'], people[0]?.code ?? '');
    await expect(codes.revokeCode(accessCodeId, true)).rejects.toThrow();
    expect(await statusesOf(codes, people)).toEqual(['active', 'active']);
    expect(await codes.rows('AuditEvents')).toEqual([]);
    codes.plan.act = () => undefined;
    await Promise.all([1, 2, 3].map(() => codes.revokeCode(accessCodeId, true)));
    expect(await statusesOf(codes, people)).toEqual(['ended', 'active']);
    expect(await codes.rows('AuditEvents')).toHaveLength(1);
  });

  test.each(['before', 'in between'])('of a user who is erased %s: the answer is the same', async (when) => {
    const codes = await open(() => undefined, 'SET endedAt');
    const { people } = await redeemed(codes, 1, 1);
    const { userId = '', code = '' } = people[0] ?? {};
    const erase = async () => {
      codes.plan.act = () => undefined;
      await codes.erase(userId);
      return undefined;
    };
    if (when === 'before') await erase();
    else codes.plan.act = erase;
    expect(await codes.revokeCode(hashOf(['test'], code), true)).toMatchObject({ status: 'redeemed' });
    expect(await codes.rows('Entitlements')).toEqual([]);
    expect(await codes.rows('EntitlementStarts')).toEqual([]);
  });
});
