import { describe, expect, test } from 'vitest';
import { call } from '../api.ts';
import { agent, board, patient, posted } from './people.ts';

/** One message: to read it as it is, and to delete it. */

const staff = await agent();

test('200: a message as the list has it, which stays unread', async () => {
  const user = await patient();
  const [messageId = ''] = await posted(user, staff, 2);
  const { items } = (await user.get(board)).body;
  expect(await user.get(`${board}/${messageId}`)).toMatchObject({ status: 200, body: items[1] });
  expect((await user.get(board)).body.metadata.unreadCount).toBe(2);
});

test('200: a deleted message is gone, and the count follows', async () => {
  const user = await patient();
  const [one = '', two = ''] = await posted(user, staff, 2);
  const { status, body } = await user.delete(`${board}/${one}`);
  expect([status, body]).toEqual([200, { success: true, messageId: one, unreadCount: 1 }]);
  const { items, metadata } = (await user.get(board)).body;
  expect([items.map(({ messageId }: { messageId: string }) => messageId), metadata.unreadCount]).toEqual([[two], 1]);
  expect(await user.get(`${board}/${one}`)).toMatchObject({ status: 404, body: { code: 'MESSAGE_NOT_FOUND' } });
  expect(await user.delete(`${board}/${one}`)).toMatchObject({ status: 200, body });
});

test('of parallel deletions the count falls once', async () => {
  const user = await patient();
  const [messageId = ''] = await posted(user, staff, 2);
  const answers = await Promise.all(Array.from({ length: 5 }, () => user.delete(`${board}/${messageId}`)));
  for (const { status, body } of answers) expect([status, body.unreadCount]).toEqual([200, 1]);
  expect((await user.get(board)).body.metadata.unreadCount).toBe(1);
});

test('400: unread is true or false', async () => {
  const user = await patient();
  expect(await user.get(`${board}?unread=yes`)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  expect((await user.get(`${board}?unread=false`)).status).toBe(200);
});

test('401 without a token', async () => {
  for (const method of ['GET', 'DELETE']) expect((await call(method, `${board}/x`)).status).toBe(401);
});

describe('404', () => {
  test.each(['%7Eboard', '!read.x', 'read'])('%s', async (messageId) => {
    const user = await patient();
    expect((await user.get(`${board}/${messageId}`)).status).toBe(404);
    expect((await user.delete(`${board}/${messageId}`)).status).toBe(404);
  });

  test('no such message, which needs no deletion', async () => {
    const user = await patient();
    expect((await user.get(`${board}/no-such-message`)).status).toBe(404);
    expect(await user.delete(`${board}/no-such-message`)).toMatchObject({ status: 200, body: { unreadCount: 0 } });
  });

  test("another user's message, which stays", async () => {
    const [user, other] = await Promise.all([patient(), patient()]);
    const [messageId = ''] = await posted(other, staff, 1);
    expect((await user.get(`${board}/${messageId}`)).status).toBe(404);
    expect(await user.delete(`${board}/${messageId}`)).toMatchObject({ status: 200, body: { unreadCount: 0 } });
    expect((await other.get(board)).body).toMatchObject({ items: [{ messageId }], metadata: { unreadCount: 1 } });
  });
});

test('only the unread, by pages', async () => {
  const user = await patient();
  const ids = await posted(user, staff, 5);
  await user.post(`${board}/${ids[3]}/read`);
  const first = (await user.get(`${board}?unread=true&limit=2`)).body;
  expect(first.metadata).toMatchObject({ limit: 2, count: 2, hasMore: true, unreadCount: 4 });
  const second = (await user.get(`${board}?unread=true&limit=2&cursor=${first.metadata.nextCursor}`)).body;
  expect(second.metadata).toMatchObject({ count: 2, hasMore: false, nextCursor: null });
  const shown = [...first.items, ...second.items].map(({ messageId }) => messageId);
  expect(shown).toEqual([ids[4], ids[2], ids[1], ids[0]]);
  // A cursor of the one list is a place in the other.
  const { nextCursor } = (await user.get(`${board}?limit=2`)).body.metadata;
  const { items } = (await user.get(`${board}?unread=true&cursor=${nextCursor}`)).body;
  expect(items.map(({ messageId }: { messageId: string }) => messageId)).toEqual([ids[2], ids[1], ids[0]]);
});
