import { describe, expect, test } from 'vitest';
import { call } from '../api.ts';
import { agent, board, patient, posted, readingOf } from './people.ts';

const staff = await agent();

describe('200', () => {
  test('a first reading, and the count after it', async () => {
    const user = await patient();
    const [messageId = ''] = await posted(user, staff, 3);
    const { status, body } = await user.post(readingOf(messageId));
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      messageId,
      readAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      unreadCount: 2,
    });
    const { items, metadata } = (await user.get(board)).body;
    expect(items[2]).toMatchObject({ messageId, readAt: body.readAt });
    expect(body.readAt >= items[2].createdAt).toBe(true);
    expect(metadata.unreadCount).toBe(2);
  });

  test('reading again answers the first time, and the count of now', async () => {
    const user = await patient();
    const [first = '', second = ''] = await posted(user, staff, 2);
    const { body } = await user.post(readingOf(first));
    expect((await user.post(readingOf(first))).body).toEqual(body);
    await user.post(readingOf(second));
    expect((await user.post(readingOf(first))).body).toEqual({ ...body, unreadCount: 0 });
  });

  test('a body is ignored', async () => {
    const user = await patient();
    const [messageId = ''] = await posted(user, staff, 1);
    const broken = { body: '{broken', headers: { 'Content-Type': 'text/plain' } };
    expect((await user.post(readingOf(messageId), broken)).status).toBe(200);
  });
});

test('400: a broken percent-escape in the path', async () => {
  const user = await patient();
  expect(await user.post(readingOf('%zz'))).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
});

test('401 without a token', async () => {
  expect(await call('POST', readingOf('x'))).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
});

describe('404', () => {
  test.each([
    ['an unknown message', '0195500f-0000-7000-8000-000000000000'],
    ['the row of the board itself', '~board'],
    ['the same, encoded', '%7Eboard'],
    ['a reserved id', 'me'],
    ['an id of another form', 'a%20b'],
    ['65 characters', 'a'.repeat(65)],
  ])('%s', async (_name, messageId) => {
    const user = await patient();
    await posted(user, staff, 1);
    const answer = await user.post(readingOf(messageId));
    expect(answer).toMatchObject({ status: 404, body: { code: 'MESSAGE_NOT_FOUND', detail: null } });
    expect((await user.get(board)).body.metadata.unreadCount).toBe(1);
  });

  test("another user's message, which stays unread", async () => {
    const [user, other] = await Promise.all([patient(), patient()]);
    const [messageId = ''] = await posted(user, staff, 1);
    await posted(other, staff, 1);
    expect(await other.post(readingOf(messageId))).toMatchObject({ status: 404, body: { code: 'MESSAGE_NOT_FOUND' } });
    expect((await user.get(board)).body).toMatchObject({ items: [{ readAt: null }], metadata: { unreadCount: 1 } });
    expect((await other.get(board)).body.metadata.unreadCount).toBe(1);
  });
});
