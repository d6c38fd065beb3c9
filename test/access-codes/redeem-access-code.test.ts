import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { newCode } from '../../functions/access-codes/rules/code.ts';
import { admin, asked, batches, entitlements, issued, newCodeOf, patient, redeem, validate } from './people.ts';

const staff = await admin();

const ownSites = '/users/me/sites';

async function siteOf(by: typeof staff): Promise<{ siteId: string; code: string }> {
  return (await by.post('/crm/sites', { body: { name: 'North', timezone: 'Europe/Berlin' } })).body;
}

const dayMs = 86_400_000;
const refused = (status: number, code: string) => ({ status, body: { code } });

describe('200', () => {
  test('an entitlement that begins now and is in the list; a repetition has the same one', async () => {
    const me = await patient();
    const code = await newCodeOf(staff, { grantsDays: 30 });
    const before = Date.now();
    const { status, body } = await me.post(redeem, { body: { code: code.toLowerCase() } });
    expect(status).toBe(200);
    expect(body).toEqual({
      entitlementId: expect.any(String),
      programmeId: 'insomnia-basic',
      startsAt: expect.any(String),
      endsAt: expect.any(String),
      status: 'active',
      missingAgreementId: null,
    });
    expect(Date.parse(body.startsAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(body.endsAt) - Date.parse(body.startsAt)).toBe(30 * dayMs);
    expect(await me.post(redeem, { body: { code } })).toMatchObject({ status: 200, body });
    const { missingAgreementId, ...entitlement } = body;
    expect((await me.get(entitlements)).body.items).toEqual([entitlement]);
  });

  test('a second code of the programme starts when the first entitlement ends, also if both come at once', async () => {
    const me = await patient();
    // Each of a batch of its own: the user is all that they share.
    const codes = await Promise.all(Array.from({ length: 4 }, () => newCodeOf(staff, { grantsDays: 10 })));
    const answers = await Promise.all(codes.map((code) => me.post(redeem, { body: { code } })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const inOrder = answers.map(({ body }) => body).toSorted((one, other) => (one.startsAt < other.startsAt ? -1 : 1));
    for (const [index, { startsAt }] of inOrder.entries()) {
      if (index > 0) expect(startsAt).toBe(inOrder[index - 1].endsAt);
    }
    expect(inOrder.map(({ status }) => status)).toEqual(['active', 'scheduled', 'scheduled', 'scheduled']);
  });

  test('of 20 requests of ten people for one code, one gets the entitlement', async () => {
    const code = await newCodeOf(staff);
    const people = await Promise.all(Array.from({ length: 10 }, patient));
    const answers = await Promise.all([...people, ...people].map((each) => each.post(redeem, { body: { code } })));
    const done = answers.filter(({ status }) => status === 200);
    expect(done).toHaveLength(2);
    expect(done[0]?.body).toEqual(done[1]?.body);
    for (const answer of answers) {
      if (answer.status !== 200) expect(answer).toMatchObject(refused(409, 'ACCESS_CODE_REDEEMED'));
    }
    const lists = await Promise.all(people.map((each) => each.get(entitlements)));
    expect(lists.filter(({ body }) => body.items.length > 0)).toHaveLength(1);
  });
});

describe('refused', () => {
  test('400: mistyped, which is not counted', async () => {
    const me = await patient();
    for (let tried = 0; tried < 12; tried += 1) {
      expect(await me.post(redeem, { body: { code: 'XSA0' } })).toMatchObject(refused(400, 'ACCESS_CODE_MISTYPED'));
    }
    const { body } = await me.post(validate, { body: { code: 'XSAAAAAAAAAAAAA1' } });
    expect(body).toEqual({ valid: false, reason: 'MISTYPED', programmeId: null, grantsDays: null });
  });

  test('404: a code that was never issued', async () => {
    const me = await patient();
    const code = newCode(randomBytes(12));
    expect(await me.post(redeem, { body: { code } })).toMatchObject(refused(404, 'ACCESS_CODE_NOT_FOUND'));
    expect((await me.post(validate, { body: { code } })).body).toMatchObject({ valid: false, reason: 'UNKNOWN' });
  });

  test('409: a code of a revoked batch, and one that was revoked by itself', async () => {
    const me = await patient();
    const { batchId, codes } = await issued(staff, { count: 2 });
    const [one, other] = codes.map(({ code }) => code);
    await staff.post(`/access-codes/${codes[0]?.accessCodeId}/revoke`);
    expect(await me.post(redeem, { body: { code: one } })).toMatchObject(refused(409, 'ACCESS_CODE_REVOKED'));
    expect((await me.post(validate, { body: { code: other } })).body.valid).toBe(true);
    await staff.post(`${batches}/${batchId}/revoke`);
    expect(await me.post(redeem, { body: { code: other } })).toMatchObject(refused(409, 'ACCESS_CODE_REVOKED'));
    expect((await me.post(validate, { body: { code: other } })).body.reason).toBe('REVOKED');
  });

  test('409: shared with a site by a user who has joined the maximum number of sites; the code is as before', async () => {
    const me = await patient();
    for (let index = 0; index < 20; index += 1) {
      const { code } = await siteOf(staff);
      expect((await me.post(ownSites, { body: { code } })).status).toBe(200);
    }
    const { siteId } = await siteOf(staff);
    const code = await newCodeOf(staff, { siteId });
    expect(await me.post(redeem, { body: { code, shareWithSite: true } })).toMatchObject(
      refused(409, 'ACCESS_CODE_SITE_UNAVAILABLE'),
    );
    expect((await me.post(validate, { body: { code } })).body.valid).toBe(true);
    expect(await me.post(redeem, { body: { code, shareWithSite: false } })).toMatchObject({ status: 200 });
  });
});

describe('a code of a site', () => {
  const sitesOf = async (me: Awaited<ReturnType<typeof patient>>) =>
    (await me.get(ownSites)).body.items.map(({ siteId }: { siteId: string }) => siteId);

  test('puts the user with the site where the user says so, and names the agreement that is missing', async () => {
    const me = await patient();
    const { siteId } = await siteOf(staff);
    const code = await newCodeOf(staff, { siteId });
    const { status, body } = await me.post(redeem, { body: { code, shareWithSite: true } });
    expect([status, body.missingAgreementId]).toEqual([200, 'data-sharing']);
    expect(await sitesOf(me)).toEqual([siteId]);
    expect((await me.post(redeem, { body: { code, shareWithSite: true } })).body).toEqual(body);
    await me.post('/agreements/versions/data-sharing-1.0/agree');
    const again = await me.post(redeem, { body: { code, shareWithSite: true } });
    expect(again.body).toEqual({ ...body, missingAgreementId: null });
    expect(await sitesOf(me)).toEqual([siteId]);
  });

  test('joins no site unless the user wants it, which can come later', async () => {
    const me = await patient();
    const { siteId } = await siteOf(staff);
    const code = await newCodeOf(staff, { siteId });
    expect((await me.post(redeem, { body: { code } })).body.missingAgreementId).toBeNull();
    expect(await sitesOf(me)).toEqual([]);
    expect((await me.post(redeem, { body: { code, shareWithSite: true } })).status).toBe(200);
    expect(await sitesOf(me)).toEqual([siteId]);
  });

  test('of somebody else makes no relation', async () => {
    const [me, other] = await Promise.all([patient(), patient()]);
    const { siteId } = await siteOf(staff);
    const code = await newCodeOf(staff, { siteId });
    await me.post(redeem, { body: { code } });
    expect(await other.post(redeem, { body: { code, shareWithSite: true } })).toMatchObject(
      refused(409, 'ACCESS_CODE_REDEEMED'),
    );
    expect(await sitesOf(other)).toEqual([]);
  });

  test('is not issued for a site that nobody has made', async () => {
    const body = { ...asked, siteId: 'nowhere' };
    expect(await staff.post(batches, { body })).toMatchObject(refused(404, 'SITE_NOT_FOUND'));
  });
});
