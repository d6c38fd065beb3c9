import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { checkCharacterOf } from '../../functions/access-codes/rules/check-character.ts';
import { newCode } from '../../functions/access-codes/rules/code.ts';
import { admin, entitlements, newCodeOf, patient, redeem, validate } from './people.ts';

const staff = await admin();

const guess = () => newCode(randomBytes(12));
const locked = {
  status: 429,
  body: { code: 'ACCESS_CODE_LOCKED', detail: { lockedUntil: expect.stringMatching(/^2\d{3}-.*Z$/) } },
};

describe('429 ACCESS_CODE_LOCKED', () => {
  test('of 16 wrong codes at once ten are answered, and then nothing is, whatever is tried', async () => {
    const me = await patient();
    const code = await newCodeOf(staff);
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) => me.post(index % 2 ? redeem : validate, { body: { code: guess() } })),
    );
    const outcomes = answers.map(({ status, body }) => `${status} ${body.reason ?? body.code}`);
    const counted = (...wanted: string[]) => outcomes.filter((outcome) => wanted.includes(outcome)).length;
    const [told, busy] = [counted('200 UNKNOWN', '404 ACCESS_CODE_NOT_FOUND'), counted('503 UNAVAILABLE')];
    expect(told + busy + counted('429 ACCESS_CODE_LOCKED'), outcomes.join(', ')).toBe(16);
    // A try that is asked to come again learns nothing, and may have been counted or not.
    expect(told, outcomes.join(', ')).toBeLessThanOrEqual(10);
    expect(told + busy, outcomes.join(', ')).toBeGreaterThanOrEqual(10);
    for (let again = 0; again < busy; again += 1) {
      const { status } = await me.post(validate, { body: { code: guess() } });
      outcomes.push(status === 200 ? '200 UNKNOWN' : `${status} again`);
    }
    expect(counted('200 UNKNOWN', '404 ACCESS_CODE_NOT_FOUND'), outcomes.join(', ')).toBeLessThanOrEqual(10);
    for (const path of [validate, redeem]) {
      const answer = await me.post(path, { body: { code } });
      expect(answer).toMatchObject(locked);
      expect(answer.headers.get('retry-after')).toBe('3600');
      const left = Date.parse(answer.body.detail.lockedUntil) - Date.now();
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(3_600_000);
    }
    expect((await me.get(entitlements)).body.items).toEqual([]);
    // The user is locked, and not the code.
    expect(await (await patient()).post(redeem, { body: { code } })).toMatchObject({ status: 200 });
  });

  test('nine wrong codes leave a try; a redemption takes nothing from them', async () => {
    const me = await patient();
    for (let tried = 0; tried < 9; tried += 1) await me.post(validate, { body: { code: guess() } });
    expect(await me.post(redeem, { body: { code: await newCodeOf(staff) } })).toMatchObject({ status: 200 });
    expect(await me.post(validate, { body: { code: guess() } })).toMatchObject({ status: 200 });
    expect(await me.post(validate, { body: { code: guess() } })).toMatchObject(locked);
  });
});

describe("an insurer's code", () => {
  const foreign = (prefix: string) => {
    const body = prefix + newCode(randomBytes(12)).slice(3, -1);
    return body + checkCharacterOf(body);
  };

  test('that its issuer does not know is no guess', async () => {
    const me = await patient();
    for (let tried = 0; tried < 12; tried += 1) {
      const { status, body } = await me.post(validate, { body: { code: foreign('ABA') } });
      expect([status, body.reason]).toEqual([200, 'UNKNOWN']);
    }
    expect(await me.post(redeem, { body: { code: foreign('ABA') } })).toMatchObject({
      status: 404,
      body: { code: 'ACCESS_CODE_NOT_FOUND' },
    });
  });

  test('is what its issuer says', async () => {
    const me = await patient();
    const said = async (code: string) => (await me.post(validate, { body: { code } })).body;
    expect(await said(foreign('ZZA'))).toEqual({
      valid: true,
      reason: null,
      programmeId: 'insomnia-basic',
      grantsDays: 90,
    });
    expect((await said('QQAMNOPQRSTUVWXQ')).reason).toBe('EXPIRED');
    expect((await said('77AAAAAAAAAAAAAX')).reason).toBe('REDEEMED');
    expect((await me.post(redeem, { body: { code: 'QQAMNOPQRSTUVWXQ' } })).body.code).toBe('ACCESS_CODE_EXPIRED');
  });

  test('is redeemed once, and staff see that it is; nobody revokes it here', async () => {
    const [me, other] = await Promise.all([patient(), patient()]);
    const code = foreign('ZZA');
    expect(await staff.post('/access-codes/lookup', { body: { code } })).toMatchObject({ status: 404 });
    const answers = await Promise.all([me, other, me, other].map((each) => each.post(redeem, { body: { code } })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409]);
    const { body } = await staff.post('/access-codes/lookup', { body: { code } });
    expect(body).toEqual({ accessCodeId: expect.any(String), batchId: null, status: 'redeemed' });
    expect((await me.post(validate, { body: { code } })).body.reason).toBe('REDEEMED');
    const revoking = staff.post(`/access-codes/${body.accessCodeId}/revoke`, { body: { endEntitlements: true } });
    expect(await revoking).toMatchObject({ status: 404, body: { code: 'ACCESS_CODE_NOT_FOUND' } });
  });
});
