import { describe, expect, test } from 'vitest';
import { call, signIn } from '../api.ts';
import { agent, board, patient, posted, readingOf } from './people.ts';

const staff = await agent();

describe('200', () => {
  test('a board without a message', async () => {
    const user = await patient();
    expect(await user.get(board)).toMatchObject({
      status: 200,
      body: { items: [], metadata: { limit: 20, count: 0, hasMore: false, nextCursor: null, unreadCount: 0 } },
    });
  });

  test('the messages, newest first, and how many are unread', async () => {
    const user = await patient();
    const [first = '', second = ''] = await posted(user, staff, 2);
    const { readAt } = (await user.post(readingOf(first))).body;
    const { body } = await user.get(board);
    const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(body).toEqual({
      items: [
        { messageId: second, title: 'Title 2', body: 'Text 2', createdAt, readAt: null },
        { messageId: first, title: 'Title 1', body: 'Text 1', createdAt, readAt },
      ],
      metadata: { limit: 20, count: 2, hasMore: false, nextCursor: null, unreadCount: 1 },
    });
  });

  test("nobody sees another user's messages", async () => {
    const [user, other] = await Promise.all([patient(), patient()]);
    await posted(user, staff, 1);
    expect((await other.get(board)).body).toMatchObject({ items: [], metadata: { unreadCount: 0 } });
  });

  test.each([1, 2, 4, 5])('pages of %s hold every message once, and each says the whole count', async (limit) => {
    const user = await patient();
    const ids = await posted(user, staff, 5);
    const shown: string[] = [];
    let cursor: string | null = null;
    do {
      const { status, body } = await user.get(`${board}?limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`);
      expect([status, body.metadata.unreadCount]).toEqual([200, 5]);
      shown.push(...body.items.map(({ messageId }: { messageId: string }) => messageId));
      cursor = body.metadata.nextCursor;
      expect(body.metadata).toMatchObject({ limit, hasMore: cursor !== null, count: body.items.length });
    } while (cursor);
    expect(shown).toEqual(ids.toReversed());
  });

  test('a later page says the count of its own time, and a message that came meanwhile does not move it', async () => {
    const user = await patient();
    const ids = await posted(user, staff, 4);
    const first = (await user.get(`${board}?limit=2`)).body;
    await posted(user, staff, 1);
    const second = (await user.get(`${board}?limit=2&cursor=${first.metadata.nextCursor}`)).body;
    expect(second.metadata.unreadCount).toBe(5);
    expect(second.items.map(({ messageId }: { messageId: string }) => messageId)).toEqual([ids[1], ids[0]]);
  });
});

describe('400', () => {
  test.each(['0', '101', 'x', '1&limit=2'])('limit=%s', async (limit) => {
    const user = await patient();
    expect(await user.get(`${board}?limit=${limit}`)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED' },
    });
  });

  test("another user's cursor", async () => {
    const [user, other] = await Promise.all([patient(), patient()]);
    await posted(user, staff, 2);
    const { nextCursor } = (await user.get(`${board}?limit=1`)).body.metadata;
    const answer = await other.get(`${board}?limit=1&cursor=${nextCursor}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_CURSOR' } });
  });
});

test('401 without a token', async () => {
  expect(await call('GET', board)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
});

test('404 in medinfo, which has no agent board of its own', async () => {
  const token = await signIn({ application: 'medinfo', roles: 'physician' });
  const answer = await call('GET', board, { token, application: 'medinfo' });
  expect(answer).toMatchObject({ status: 404, body: { code: 'ROUTE_NOT_FOUND' } });
});
