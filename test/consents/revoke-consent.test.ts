import { describe, expect, test } from 'vitest';
import { call, client } from '../api.ts';

const consent = '/users/agreements/marketing/consent';
const agree = '/agreements/versions/marketing-1.0/agree';
const history = '/users/agreements/marketing/history';

describe('200', () => {
  test('revoking an optional agreement that is agreed to', async () => {
    const user = await client();
    const { agreedAt } = (await user.post(agree)).body;
    const { status, body } = await user.delete(consent);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      agreementId: 'marketing',
      agreed: false,
      revokedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(body.revokedAt > agreedAt).toBe(true);
    expect((await user.get(history)).body.items[0]).toMatchObject({ action: 'revoked', recordedAt: body.revokedAt });
  });

  test('revoking again answers the original time and writes nothing', async () => {
    const user = await client();
    await user.post(agree);
    const first = await user.delete(consent);
    const second = await user.delete(consent);
    expect(second).toMatchObject({ status: 200, body: first.body });
    expect((await user.get(history)).body.items).toHaveLength(2);
  });

  test('revoking what was never agreed to is a success that writes nothing', async () => {
    const user = await client();
    const before = new Date().toISOString();
    const { status, body } = await user.delete(consent);
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, agreed: false });
    expect(body.revokedAt >= before).toBe(true);
    expect((await user.get(history)).body.items).toEqual([]);
  });

  test('the revocation cites what is revoked, in its chain', async () => {
    const user = await client();
    await user.post(agree, { body: { locale: 'de' } });
    await user.delete(consent);
    const [revoked, agreed] = (await user.get(history)).body.items;
    expect(revoked).toMatchObject({
      versionId: agreed.versionId,
      contentHash: agreed.contentHash,
      locale: 'de',
      previousHash: agreed.hash,
      sequence: 2,
    });
  });

  test('a body is ignored', async () => {
    const user = await client();
    expect((await user.delete(consent, { body: '{broken', headers: { 'Content-Type': 'text/plain' } })).status).toBe(
      200,
    );
  });
});

describe('400', () => {
  test.each([
    ['agreed to', true],
    ['not agreed to', false],
  ])('a required agreement that is %s is never revoked', async (_name, isAgreed) => {
    const user = await client();
    if (isAgreed) await user.post('/agreements/versions/terms-of-service-1.0/agree');
    const before = (await user.get('/users/agreements/terms-of-service/history')).body.items;
    const answer = await user.delete('/users/agreements/terms-of-service/consent');
    expect(answer).toMatchObject({ status: 400, body: { code: 'AGREEMENT_REQUIRED', detail: null } });
    expect((await user.get('/users/agreements/terms-of-service/history')).body.items).toEqual(before);
    expect(before).toHaveLength(isAgreed ? 1 : 0);
  });
});

describe('401', () => {
  test('no token', async () => {
    expect(await call('DELETE', consent)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  });
});

describe('404', () => {
  test.each([
    ['an unknown agreement', 'no-such-agreement'],
    ["another application's agreement", 'medinfo-newsletter'],
    ['a version in the place of an agreement', 'marketing-1.0'],
    ['an id of another form', 'a%20b'],
  ])('%s', async (_name, agreementId) => {
    const user = await client();
    const answer = await user.delete(`/users/agreements/${agreementId}/consent`);
    expect(answer).toMatchObject({ status: 404, body: { code: 'AGREEMENT_NOT_FOUND', detail: null } });
  });
});
