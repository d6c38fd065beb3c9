import { describe, expect, test } from 'vitest';
import { call, client } from '../api.ts';
import { accessLog, ownLooks } from './own-looks.ts';

/** Looks of staff whom no site joins to the patient; those on a care relation are in test/crm-patients. */

const message = { title: 'Your appointment', body: 'It was moved to Monday.' };

const [agent, admin] = await Promise.all([
  client({ application: 'medinfo', roles: 'agent' }),
  client({ application: 'medinfo', roles: 'admin,agent' }),
]);

async function patient() {
  const signedIn = await client();
  await signedIn.get('/users/me');
  return signedIn;
}

describe('200', () => {
  test('nothing if nobody looked; a read by the patient is not a look', async () => {
    const reader = await patient();
    expect(await reader.get(accessLog)).toMatchObject({ status: 200, body: { metadata: { hasMore: false } } });
    expect(await ownLooks(reader)).toEqual([]);
  });

  test('each look of staff, newest first, without their ids', async () => {
    const reader = await patient();
    const { user } = reader;
    await agent.post(`/users/${user}/agent-board/messages`, { body: message });
    await admin.get(`/users/${user}/erasure`);
    const looks = await ownLooks<{ action: string; at: string }>(reader);
    const look = { name: null, site: null, relation: null, consent: null };
    expect(looks).toEqual([
      {
        ...look,
        lookId: expect.any(String),
        at: expect.any(String),
        roles: ['admin', 'agent'],
        action: 'GET /users/{userId}/erasure',
      },
      {
        ...look,
        lookId: expect.any(String),
        at: expect.any(String),
        roles: ['agent'],
        action: 'POST /users/{userId}/agent-board/messages',
      },
    ]);
    const times = looks.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  test('another service that asks for a consent', async () => {
    const reader = await patient();
    const { user } = reader;
    const service = await client({ roles: 'integration' });
    const asked = await service.get(`/users/${user}/agreements/marketing/state`);
    expect(asked.status).toBe(200);
    expect(await ownLooks(reader)).toMatchObject([
      { roles: ['integration'], action: 'GET /users/{userId}/agreements/{agreementId}/state' },
    ]);
  });

  test('a refused request is not a look', async () => {
    const reader = await patient();
    const { user } = reader;
    const physician = await client({ application: 'medinfo', roles: 'physician' });
    expect((await physician.post(`/users/${user}/agent-board/messages`, { body: message })).status).toBe(404);
    expect((await physician.get(`/users/${user}/erasure`)).status).toBe(403);
    expect((await agent.post(`/users/${user}/agent-board/messages`, { body: {} })).status).toBe(400);
    expect(await ownLooks(reader)).toEqual([]);
  });

  test('pages have each look once', async () => {
    const reader = await patient();
    const { user } = reader;
    for (let index = 0; index < 5; index += 1) {
      await agent.post(`/users/${user}/agent-board/messages`, { body: message });
    }
    const found = (await ownLooks<{ action: string; lookId: string }>(reader, 2)).map(({ lookId }) => lookId);
    expect(found).toHaveLength(5);
    expect(found).toEqual([...new Set(found)].toSorted().toReversed());
  });

  test('only of the caller', async () => {
    const [one, other] = await Promise.all([patient(), patient()]);
    await agent.post(`/users/${one.user}/agent-board/messages`, { body: message });
    expect(await ownLooks(other)).toEqual([]);
  });
});

describe('401', () => {
  test('no token', async () => {
    expect(await call('GET', accessLog)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  });
});
