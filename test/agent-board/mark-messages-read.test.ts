import { describe, expect, test } from 'vitest';
import { call } from '../api.ts';
import { agent, board, patient, posted, readingOf } from './people.ts';

const staff = await agent();

const reading = `${board}/read`;

describe('200', () => {
  test('all up to the message are read, and what came after it is not', async () => {
    const user = await patient();
    const [one = '', two = '', three = '', four = ''] = await posted(user, staff, 4);
    const first = (await user.post(readingOf(two))).body.readAt;
    const { status, body } = await user.post(reading, { body: { upTo: three } });
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, upTo: three, readAt: expect.any(String), unreadCount: 1 });
    const { items, metadata } = (await user.get(board)).body;
    expect(metadata.unreadCount).toBe(1);
    expect(items.map(({ messageId, readAt }: Record<string, unknown>) => [messageId, readAt])).toEqual([
      [four, null],
      [three, body.readAt],
      [two, first],
      [one, body.readAt],
    ]);
    expect((await user.get(`${board}/${one}`)).body.readAt).toBe(body.readAt);
    expect((await user.get(`${board}?limit=2&cursor=${await cursorOf(user)}`)).body.items[1].readAt).toBe(body.readAt);
  });

  async function cursorOf(user: { get: (path: string) => Promise<{ body: { metadata: { nextCursor: string } } }> }) {
    return (await user.get(`${board}?limit=2`)).body.metadata.nextCursor;
  }

  test('again, or one of them by itself, answers the first time', async () => {
    const user = await patient();
    const [one = '', two = ''] = await posted(user, staff, 2);
    const { body } = await user.post(reading, { body: { upTo: two } });
    expect((await user.post(reading, { body: { upTo: two } })).body).toEqual(body);
    expect((await user.post(readingOf(one))).body).toMatchObject({ readAt: body.readAt, unreadCount: 0 });
  });
});

describe('400', () => {
  test.each<[string, unknown]>([
    ['no body', undefined],
    ['no message', {}],
    ['the row of the board itself', { upTo: '~board' }],
    ['a number', { upTo: 1 }],
  ])('%s', async (_name, body) => {
    const user = await patient();
    expect(await user.post(reading, { body })).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });
});

test('401 without a token', async () => {
  expect(await call('POST', reading, { body: { upTo: 'x' } })).toMatchObject({ status: 401 });
});

test("404: no such message, and another user's, which says nothing of one's own", async () => {
  const [user, other] = await Promise.all([patient(), patient()]);
  await posted(user, staff, 1);
  const [foreign = ''] = await posted(other, staff, 1);
  for (const upTo of ['no-such-message', 'zzzz', foreign]) {
    const answer = await user.post(reading, { body: { upTo } });
    expect(answer).toMatchObject({ status: 404, body: { code: 'MESSAGE_NOT_FOUND' } });
  }
  expect((await user.get(board)).body.metadata.unreadCount).toBe(1);
  expect((await other.get(board)).body.metadata.unreadCount).toBe(1);
});
