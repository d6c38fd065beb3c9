import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { newCode } from '../../functions/access-codes/rules/code.ts';
import { admin, batches, entitlements, issued, patient, redeem } from './people.ts';

const staff = await admin();

const lookup = '/access-codes/lookup';
const nothing = { issued: 0, redeemed: 0, expired: 0, revoked: 0 };
const eventsOf = async (subject: string) =>
  (await staff.get(`/admin/audit-events?subject=${encodeURIComponent(subject)}`)).body.items;

describe('the list', () => {
  test('newest first, page by page, with the counts of each', async () => {
    const made: string[] = [];
    for (const count of [1, 2, 3]) made.push((await issued(staff, { count })).batchId);
    // Others issue meanwhile.
    const found: { batchId: string; counts: { issued: number } }[] = [];
    let cursor = '';
    while (found.length < made.length) {
      const { items, metadata } = (await staff.get(`${batches}?limit=2${cursor}`)).body;
      found.push(...items.filter(({ batchId }: { batchId: string }) => made.includes(batchId)));
      cursor = `&cursor=${encodeURIComponent(metadata.nextCursor)}`;
    }
    expect(found.map(({ batchId }) => batchId)).toEqual(made.toReversed());
    expect(found.map(({ counts }) => counts.issued)).toEqual([3, 2, 1]);
    expect(found[0]).toEqual((await staff.get(`${batches}/${found[0]?.batchId}`)).body);
  });
});

describe('looking a code up', () => {
  test('by its text as somebody reads it out: its id, its batch and its status, and no more', async () => {
    const { batchId, codes } = await issued(staff, { count: 1 });
    const [{ accessCodeId, code } = { accessCodeId: '', code: '' }] = codes;
    const typed = ` ${code.slice(0, 4)}-${code.slice(4, 8)} ${code.slice(8).toLowerCase()}`;
    expect((await staff.post(lookup, { body: { code: typed } })).body).toEqual({
      accessCodeId,
      batchId,
      status: 'issued',
    });
    await (await patient()).post(redeem, { body: { code } });
    expect((await staff.post(lookup, { body: { code } })).body).toEqual({ accessCodeId, batchId, status: 'redeemed' });
  });

  test('400: mistyped; 404: never issued', async () => {
    expect(await staff.post(lookup, { body: { code: 'XSA1' } })).toMatchObject({
      status: 400,
      body: { code: 'ACCESS_CODE_MISTYPED' },
    });
    expect(await staff.post(lookup, { body: { code: newCode(randomBytes(12)) } })).toMatchObject({
      status: 404,
      body: { code: 'ACCESS_CODE_NOT_FOUND' },
    });
  });
});

describe('revoking a batch', () => {
  test('ends what nobody has redeemed, and with endEntitlements what was unlocked; each is audited once', async () => {
    const [me, other] = await Promise.all([patient(), patient()]);
    const { batchId, codes } = await issued(staff, { count: 3 });
    const [first, second] = codes.map(({ code }) => code);
    await me.post(redeem, { body: { code: first } });
    const revoking = (body: object) => staff.post(`${batches}/${batchId}/revoke`, { body });
    const revoked = await revoking({});
    expect(revoked.status).toBe(200);
    expect(revoked.body).toMatchObject({ status: 'revoked', entitlementsEndedAt: null });
    expect(revoked.body.counts).toEqual({ ...nothing, redeemed: 1, revoked: 2 });
    expect((await other.post(redeem, { body: { code: second } })).body.code).toBe('ACCESS_CODE_REVOKED');
    expect((await me.get(entitlements)).body.items).toMatchObject([{ status: 'active' }]);
    expect((await revoking({})).body).toEqual(revoked.body);

    const ended = await revoking({ endEntitlements: true });
    expect(ended.body).toMatchObject({ revokedAt: revoked.body.revokedAt, entitlementsEndedAt: expect.any(String) });
    expect((await revoking({ endEntitlements: true })).body).toEqual(ended.body);
    const [entitlement] = (await me.get(entitlements)).body.items;
    expect(entitlement).toMatchObject({ status: 'ended', endsAt: ended.body.entitlementsEndedAt });
    // The same code again is the same entitlement, which is over; another one starts at once.
    expect((await me.post(redeem, { body: { code: first } })).body).toMatchObject({ ...entitlement });
    const [another] = (await issued(staff, { count: 1 })).codes;
    expect((await me.post(redeem, { body: { code: another?.code } })).body).toMatchObject({ status: 'active' });

    const events = await eventsOf(`access-code-batch/${batchId}`);
    expect(events.map(({ action }: { action: string }) => action)).toEqual([
      'access-code-batch.revoked',
      'access-code-batch.revoked',
      'access-code-batch.issued',
    ]);
    expect(events[1]).toMatchObject({ before: { revokedAt: null }, after: { revokedAt: revoked.body.revokedAt } });
  });

  test('of 1,000 codes, each another one, is one transaction', async () => {
    const { batchId, codes } = await issued(staff, { count: 1000 });
    expect(new Set(codes.map(({ code }) => code)).size).toBe(1000);
    const { body: before } = await staff.get(`${batches}/${batchId}`);
    expect([before.status, before.counts]).toEqual(['issued', { ...nothing, issued: 1000 }]);
    const { status, body } = await staff.post(`${batches}/${batchId}/revoke`);
    expect([status, body.counts]).toEqual([200, { ...nothing, revoked: 1000 }]);
  });

  test.each(['nothing', 'a%20b', 'revoke'])('404: %s', async (batchId) => {
    const answers = [await staff.get(`${batches}/${batchId}`), await staff.post(`${batches}/${batchId}/revoke`)];
    for (const { status, body } of answers) expect([status, body.code]).toEqual([404, 'ACCESS_CODE_BATCH_NOT_FOUND']);
  });
});

describe('revoking a code', () => {
  test('that nobody has redeemed: counted, and audited once', async () => {
    const { batchId, codes } = await issued(staff, { count: 2 });
    const accessCodeId = codes[0]?.accessCodeId ?? '';
    for (const body of [undefined, { endEntitlements: true }]) {
      const answer = await staff.post(`/access-codes/${accessCodeId}/revoke`, { body });
      expect(answer).toMatchObject({ status: 200, body: { accessCodeId, batchId, status: 'revoked' } });
    }
    expect((await staff.get(`${batches}/${batchId}`)).body.counts).toEqual({ ...nothing, issued: 1, revoked: 1 });
    expect(await eventsOf(`access-code/${accessCodeId}`)).toMatchObject([{ action: 'access-code.revoked' }]);
  });

  test('that is redeemed: 409, or with endEntitlements the end of what it unlocked, and of nothing else', async () => {
    const [me, other] = await Promise.all([patient(), patient()]);
    const { batchId, codes } = await issued(staff, { count: 2 });
    await me.post(redeem, { body: { code: codes[0]?.code } });
    await other.post(redeem, { body: { code: codes[1]?.code } });
    const accessCodeId = codes[0]?.accessCodeId ?? '';
    const revoking = (body: object) => staff.post(`/access-codes/${accessCodeId}/revoke`, { body });
    expect(await revoking({})).toMatchObject({ status: 409, body: { code: 'ACCESS_CODE_REDEEMED' } });
    for (const again of [1, 2]) {
      const answer = await revoking({ endEntitlements: true });
      expect([again, answer.status, answer.body]).toEqual([again, 200, { accessCodeId, batchId, status: 'redeemed' }]);
    }
    expect((await me.get(entitlements)).body.items).toMatchObject([{ status: 'ended' }]);
    expect((await other.get(entitlements)).body.items).toMatchObject([{ status: 'active' }]);
    expect((await staff.get(`${batches}/${batchId}`)).body.counts).toEqual({ ...nothing, redeemed: 2 });
    expect(await eventsOf(`access-code/${accessCodeId}`)).toMatchObject([{ action: 'access-code.entitlement-ended' }]);
  });

  test.each(['nothing', 'a%20b'])('404: %s', async (accessCodeId) => {
    const { status, body } = await staff.post(`/access-codes/${accessCodeId}/revoke`);
    expect([status, body.code]).toEqual([404, 'ACCESS_CODE_NOT_FOUND']);
  });
});
