import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { newCode } from '../../functions/access-codes/rules/code.ts';
import { hashOf } from '../../functions/access-codes/stores/code-keys.ts';
import type { Call, Fault } from '../../lib/local/dynamodb/front.ts';
import { isUnavailable } from '../../lib/runtime/failure.ts';
import { put, putRow } from '../../lib/runtime/rows.ts';
import { type OpenCodes, openCodes } from './open-codes.ts';

let opened: OpenCodes | undefined;
afterEach(() => opened?.close());

type Plan = (call: Call) => Fault | undefined | Promise<Fault | undefined>;

/** Faults of the transactions that write an entitlement, and what comes before a batch is read. */
async function open() {
  const plan: { fault?: Plan; batchRead?: (() => Promise<unknown>) | undefined } = {};
  opened = await openCodes({
    intercept: async (call) => {
      const act =
        call.action === 'GetItem' && call.input.TableName === 'AccessCodeBatches' ? plan.batchRead : undefined;
      if (act) plan.batchRead = undefined;
      await act?.();
      const isRedemption = call.action === 'TransactWriteItems' && JSON.stringify(call.input).includes('Entitlements');
      return isRedemption ? plan.fault?.(call) : undefined;
    },
  });
  return { ...opened, plan };
}

const times = (count: number, fault: Fault): Plan => {
  let left = count;
  return () => {
    left -= 1;
    return left >= 0 ? fault : undefined;
  };
};

test.each([
  ['without its revision', {}],
  ['with a revision that is no number', { revision: 'x' }],
  ['with one that nobody can count on', { revision: 2 ** 52 }],
])('a row of tries %s keeps nobody from redeeming a code, nor is a wrong one left uncounted', async (_case, more) => {
  const codes = await open();
  const [code = ''] = await codes.issued(1);
  const userId = randomUUID();
  await putRow(codes.place.tables.AccessCodeTries, { userId, wrongAt: [], ...more });
  expect(await codes.redeem(newCode(randomBytes(12)), { userId })).toMatchObject({ outcome: 'unknown' });
  expect(await codes.rows('AccessCodeTries')).toMatchObject([{ wrongAt: [expect.any(String)], revision: 1 }]);
  await putRow(codes.place.tables.AccessCodeTries, { userId, wrongAt: [], ...more });
  expect(await codes.redeem(code, { userId })).toMatchObject({ outcome: 'done' });
});

describe('faults', () => {
  test.each([
    ['lose-response', 1],
    ['lose-response', 3],
    ['garble-response', 1],
    ['conflict', 3],
    ['throttle', 2],
    ['error', 2],
  ] as const)('%s %d times: redeemed once, as if nothing had been', async (fault, count) => {
    const codes = await open();
    const [code = ''] = await codes.issued(1);
    const userId = randomUUID();
    codes.plan.fault = times(count, fault);
    const first = await codes.redeem(code, { userId });
    expect(first.outcome).toBe('done');
    expect(await codes.redeem(code, { userId })).toEqual(first);
    expect(await codes.rows('Entitlements')).toHaveLength(1);
    const [{ batchId } = { batchId: '' }] = await codes.rows('AccessCodes');
    expect(await codes.groups(batchId)).toMatchObject([{ redeemed: 1 }]);
  });

  test('an outage: nothing is redeemed, and the code is as it was', async () => {
    const codes = await open();
    const [code = ''] = await codes.issued(1);
    codes.plan.fault = () => 'error';
    const failed = await codes.redeem(code).catch((error: unknown) => error);
    expect(isUnavailable(failed)).toBe(true);
    delete codes.plan.fault;
    expect(await codes.rows('Entitlements')).toEqual([]);
    expect((await codes.redeem(code)).outcome).toBe('done');
  });
});

describe('a revocation that comes between the look at a code and its redemption', () => {
  test('of the batch', async () => {
    const codes = await open();
    const batch = await codes.begun(1);
    const [code = ''] = (await codes.issue(batch)) ?? [];
    let revoking: Promise<unknown> | undefined;
    codes.plan.fault = async () => {
      revoking ??= codes.revokeBatch(batch.batchId, true);
      await revoking;
      return undefined;
    };
    expect(await codes.redeem(code)).toEqual({ outcome: 'revoked' });
    expect(await codes.rows('Entitlements')).toEqual([]);
  });

  test('of the code', async () => {
    const codes = await open();
    const [code = ''] = await codes.issued(1);
    let revoking: Promise<unknown> | undefined;
    codes.plan.fault = async () => {
      revoking ??= codes.revokeCode(hashOf(['test'], code));
      await revoking;
      return undefined;
    };
    expect(await codes.redeem(code)).toEqual({ outcome: 'revoked' });
    expect(await revoking).toMatchObject({ status: 'revoked' });
  });
});

test('of two codes of one user from two batches, the one that commits later sees the entitlement of the other', async () => {
  const codes = await open();
  const userId = randomUUID();
  const [[code = ''], [other = '']] = [await codes.issued(1), await codes.issued(1)];
  let first: Awaited<ReturnType<typeof codes.redeem>> | undefined;
  codes.plan.fault = async () => {
    delete codes.plan.fault;
    first = await codes.redeem(other, { userId });
    return undefined;
  };
  const second = await codes.redeem(code, { userId });
  if (first?.outcome !== 'done' || second.outcome !== 'done') throw new Error('both are redeemed');
  expect(second.entitlement).toMatchObject({ startsAt: first.entitlement.endsAt, status: 'scheduled' });
});

describe('the tenth wrong code comes between the look at another code and its answer', () => {
  const wrong = () => newCode(randomBytes(12));

  /** A user with one try left, who loses it the next time that a batch is read. */
  async function withOneTryLeft() {
    const codes = await open();
    const userId = randomUUID();
    for (let tried = 0; tried < 9; tried += 1) await codes.redeem(wrong(), { userId });
    return { codes, userId };
  }
  const locked = { outcome: 'locked', lockedUntil: expect.any(String) };

  test('leaves no answer about a code that somebody else has redeemed', async () => {
    const { codes, userId } = await withOneTryLeft();
    const [code = ''] = await codes.issued(1);
    await codes.redeem(code);
    codes.plan.batchRead = () => codes.redeem(wrong(), { userId });
    expect(await codes.redeem(code, { userId })).toEqual(locked);
  });

  test('nor of a valid code whose site cannot be joined', async () => {
    const { codes, userId } = await withOneTryLeft();
    const [code = ''] = await codes.issued(1, { siteId: 'site-1' });
    const share = async () => {
      await codes.redeem(wrong(), { userId });
      return null;
    };
    expect(await codes.redeem(code, { userId, share })).toEqual(locked);
  });
});

describe('sharing with the site of a code', () => {
  const ofSite = { siteId: 'site-1' };

  test('writes the care relation in the transaction of the redemption, and names what is missing', async () => {
    const codes = await open();
    const [code = ''] = await codes.issued(1, ofSite);
    const userId = randomUUID();
    // In the place of the relation: a row of whatever table.
    const Item = { application: 'medinfo', eventId: 'relation' };
    const share = async (wanted: { userId: string; siteId: string }) => {
      expect(wanted).toMatchObject({ userId, siteId: 'site-1' });
      return { items: [put(codes.place.tables.AuditEvents, Item)], missingAgreementId: 'data-sharing' };
    };
    codes.plan.fault = times(3, 'lose-response');
    expect(await codes.redeem(code, { userId, share })).toMatchObject({
      outcome: 'done',
      missingAgreementId: 'data-sharing',
    });
    expect(await codes.rows('AuditEvents')).toEqual([Item]);
  });

  test('if that is not possible, nothing is redeemed', async () => {
    const codes = await open();
    const [code = ''] = await codes.issued(1, ofSite);
    expect(await codes.redeem(code, { share: async () => null })).toEqual({ outcome: 'site-unavailable' });
    expect((await codes.redeem(code)).outcome).toBe('done');
  });

  test('with a code of no site there is nothing to share', async () => {
    const codes = await open();
    const [code = ''] = await codes.issued(1);
    const share = () => Promise.reject(new Error('not asked'));
    expect(await codes.redeem(code, { share })).toMatchObject({ outcome: 'done', missingAgreementId: null });
  });
});

test("an insurer's code is kept sealed for 180 days in a row of its own, and opens for nobody without the secret", async () => {
  const codes = await open();
  const code = 'ZZAABCDEFGHIJKLT';
  expect(await codes.redeem(code)).toMatchObject({ outcome: 'done' });
  const [row] = await codes.rows('AccessCodes');
  expect(row).toMatchObject({ accessCodeId: hashOf(['test'], code), batchId: null });
  expect(row).not.toHaveProperty('sealed');
  const [kept] = await codes.rows('IssuedAccessCodes');
  expect(kept).toMatchObject({ batchId: hashOf(['test'], code), sealed: expect.any(String) });
  const days = (Number(kept?.expiresAt) * 1000 - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(180);
  for (const table of ['AccessCodes', 'IssuedAccessCodes', 'Entitlements', 'AccessCodeTries'] as const) {
    expect(JSON.stringify(await codes.rows(table))).not.toContain(code);
  }
});
