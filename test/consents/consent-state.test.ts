import { describe, expect, test } from 'vitest';
import { call, client } from '../api.ts';
import { eventually } from '../eventually.ts';

const state = '/users/agreements/marketing/state';
const agree = '/agreements/versions/marketing-1.0/agree';
const consent = '/users/agreements/marketing/consent';

async function history() {
  const user = await client();
  const { agreedAt } = (await user.post(agree)).body;
  const { revokedAt } = (await user.delete(consent)).body;
  return { user, agreedAt, revokedAt };
}

/** The same time in the offset of India, as text that is not percent-encoded. */
const inIndia = (time: string) => new Date(Date.parse(time) + 19_800_000).toISOString().replace('Z', '+05:30');

/** Each record is a millisecond later than the one before it, at least. */
const justBefore = (time: string) => new Date(Date.parse(time) - 1).toISOString();

describe('200', () => {
  test('as of each time, the record that held then', async () => {
    const { user, agreedAt, revokedAt } = await history();
    const at = async (time: string) => (await user.get(`${state}?at=${time}`)).body;
    const before = justBefore(agreedAt);
    expect(await at(before)).toMatchObject({ at: before, agreed: false, record: null });
    expect(await at(agreedAt)).toMatchObject({ agreed: true, record: { action: 'agreed', recordedAt: agreedAt } });
    const between = justBefore(revokedAt);
    expect(await at(between)).toMatchObject({ at: between, agreed: true, record: { sequence: 1 } });
    expect(await at(revokedAt)).toMatchObject({ agreed: false, record: { action: 'revoked', sequence: 2 } });
  });

  test('a time in any offset, whose plus is percent-encoded or not, is that of UTC', async () => {
    const { user, agreedAt } = await history();
    const expected = { status: 200, body: { at: agreedAt, agreed: true, record: { recordedAt: agreedAt } } };
    for (const at of [inIndia(agreedAt), encodeURIComponent(inIndia(agreedAt)), agreedAt.toLowerCase()]) {
      expect(await user.get(`${state}?at=${at}`)).toMatchObject(expected);
    }
  });

  test('without a time it is that of now; one in the future is answered for now', async () => {
    const { user, revokedAt } = await history();
    const answers = [];
    for (const query of ['', '?at=2999-01-01T00:00:00Z']) answers.push(await user.get(`${state}${query}`));
    const { agreedAt: later } = (await user.post(agree)).body;
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body).toMatchObject({ agreed: false, agreementId: 'marketing', record: { action: 'revoked' } });
      // By the service's own times: after the revocation, and before what came next.
      expect([revokedAt, body.at, later].toSorted()).toEqual([revokedAt, body.at, later]);
    }
  });

  test('another service asks for a user, and sees a revocation in the next call', async () => {
    const service = await client({ roles: 'integration', client: 'integration' });
    const user = await client({ user: 'asked-about' });
    const { userId } = (await user.get('/users/me')).body;
    const path = `/users/${userId}/agreements/marketing/state`;
    await user.post(agree);
    expect(await service.get(path)).toMatchObject({ status: 200, body: { userId, agreed: true } });
    await user.delete(consent);
    expect(await service.get(path)).toMatchObject({ status: 200, body: { userId, agreed: false } });
  });

  test('a user who requests the deletion of the account does not consent from then on, but did before', async () => {
    const service = await client({ roles: 'integration', client: 'integration' });
    const user = await client();
    const { userId } = (await user.get('/users/me')).body;
    const { agreedAt } = (await user.post(agree)).body;
    // The request has to be of a later millisecond than the consent.
    await eventually(() => expect(Date.now()).toBeGreaterThan(Date.parse(agreedAt)));
    const { endedAt } = (await user.delete('/users/me')).body;
    const path = `/users/${userId}/agreements/marketing/state`;
    for (const answer of [await service.get(path), await user.get(state), await service.get(`${path}?at=${endedAt}`)]) {
      const record = { action: 'agreed', recordedAt: agreedAt };
      expect(answer).toMatchObject({ status: 200, body: { agreed: false, endedAt, record } });
    }
    const before = await service.get(`${path}?at=${agreedAt}`);
    expect(before).toMatchObject({ status: 200, body: { agreed: true, endedAt: null } });
  });

  test('an unknown user did not consent', async () => {
    const service = await client({ roles: 'integration', client: 'integration' });
    const { status, body } = await service.get('/users/nobody/agreements/marketing/state');
    expect(status).toBe(200);
    expect(body).toMatchObject({ userId: 'nobody', agreed: false, record: null, endedAt: null });
  });
});

describe('400', () => {
  test.each([
    'yesterday',
    '2026-02-30T00:00:00Z',
    '2026-01-01',
    '',
    '2026-01-01T00:00:00+25:00',
    '2026-01-01 00:00:00Z',
  ])('the time %j', async (at) => {
    const user = await client();
    const answer = await user.get(`${state}?at=${encodeURIComponent(at)}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });
});

test('401: no token', async () => {
  expect((await call('GET', state)).status).toBe(401);
  expect((await call('GET', '/users/u/agreements/marketing/state')).status).toBe(401);
});

test('403: a user asks for another', async () => {
  const user = await client();
  expect((await user.get('/users/nobody/agreements/marketing/state')).status).toBe(403);
});

test.each(['/users/agreements/unknown/state', '/users/agreements/medinfo-newsletter/state'])(
  '404: %s',
  async (path) => {
    const user = await client();
    expect(await user.get(path)).toMatchObject({ status: 404, body: { code: 'AGREEMENT_NOT_FOUND' } });
  },
);
