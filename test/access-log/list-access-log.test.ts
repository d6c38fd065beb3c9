import { randomUUID } from 'node:crypto';

import { beforeAll, describe, expect, test } from 'vitest';
import { call, client } from '../api.ts';

/** Looks of staff whom no site joins to the patient; those on a care relation are in test/crm-patients. */

type Client = Awaited<ReturnType<typeof client>>;

const log = '/users/me/access-log';
const message = { title: 'Your appointment', body: 'It was moved to Monday.' };

let agent: Client;
let admin: Client;
beforeAll(async () => {
  [agent, admin] = await Promise.all([
    client({ application: 'medinfo', roles: 'agent' }),
    client({ application: 'medinfo', roles: 'admin,agent' }),
  ]);
});

async function patient() {
  const user = randomUUID();
  const signedIn = await client({ user });
  await signedIn.get('/users/me');
  return { ...signedIn, user };
}

describe('200', () => {
  test('nothing if nobody looked; a read by the patient is not a look', async () => {
    const { get } = await patient();
    expect(await get(log)).toMatchObject({ status: 200, body: { items: [], metadata: { count: 0, hasMore: false } } });
    expect((await get(log)).body.items).toEqual([]);
  });

  test('each look of staff, newest first, without their ids', async () => {
    const { get, user } = await patient();
    await agent.post(`/users/${user}/agent-board/messages`, { body: message });
    await admin.get(`/users/${user}/erasure`);
    const { body } = await get(log);
    const look = { name: null, site: null, relation: null, consent: null };
    expect(body.items).toEqual([
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
    expect(body.items[0].at >= body.items[1].at).toBe(true);
  });

  test('another service that asks for a consent', async () => {
    const { get, user } = await patient();
    const service = await client({ roles: 'integration', client: 'developer-tools' });
    const asked = await service.get(`/users/${user}/agreements/marketing/state`);
    expect(asked.status).toBe(200);
    expect((await get(log)).body.items).toMatchObject([
      { roles: ['integration'], action: 'GET /users/{userId}/agreements/{agreementId}/state' },
    ]);
  });

  test('a refused request is not a look', async () => {
    const { get, user } = await patient();
    const physician = await client({ application: 'medinfo', roles: 'physician' });
    expect((await physician.post(`/users/${user}/agent-board/messages`, { body: message })).status).toBe(404);
    expect((await physician.get(`/users/${user}/erasure`)).status).toBe(403);
    expect((await agent.post(`/users/${user}/agent-board/messages`, { body: {} })).status).toBe(400);
    expect((await get(log)).body.items).toEqual([]);
  });

  test('pages have each look once', async () => {
    const { get, user } = await patient();
    for (let index = 0; index < 5; index += 1) {
      await agent.post(`/users/${user}/agent-board/messages`, { body: message });
    }
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const { body }: { body: { items: { lookId: string }[]; metadata: { nextCursor: string | null } } } = await get(
        `${log}?limit=2${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      found.push(...body.items.map(({ lookId }) => lookId));
      cursor = body.metadata.nextCursor;
    } while (cursor !== null);
    expect(found).toHaveLength(5);
    expect(found).toEqual([...new Set(found)].toSorted().toReversed());
  });

  test('only of the caller', async () => {
    const [one, other] = await Promise.all([patient(), patient()]);
    await agent.post(`/users/${one.user}/agent-board/messages`, { body: message });
    expect((await other.get(log)).body.items).toEqual([]);
  });
});

describe('401', () => {
  test('no token', async () => {
    expect(await call('GET', log)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
  });
});
