import { expect, test } from 'vitest';
import { boardEventOf } from '../../functions/push/rules/board-events.ts';
import { type BoardEvent, coalesced, pushesOf } from '../../functions/push/rules/delivery.ts';

const posted = {
  userId: { S: 'u' },
  messageId: { S: 'm-1' },
  readAt: {},
  eventId: { S: 'm-1' },
  unreadCountAfter: { N: '3' },
  boardRevision: { N: '8' },
};
const read = { ...posted, readAt: { S: '2026' }, eventId: { S: 'm-1.read' }, unreadCountAfter: { N: '2' } };

const mark = { ...read, messageId: { S: '!read.m-1' }, eventId: { S: 'm-1.read-up-to' } };
const board = { ...posted, messageId: { S: '~board' }, readAt: {}, eventId: { S: 'm-1.deleted' } };

test.each([
  ['all that was read up to a message', { NewImage: mark }, 'm-1.read-up-to', 2],
  ['a deletion', { OldImage: { ...board, eventId: {} }, NewImage: board }, 'm-1.deleted', 3],
  ['another deletion', { OldImage: { ...board, eventId: { S: 'm-0.deleted' } }, NewImage: board }, 'm-1.deleted', 3],
])('%s is a badge', (_what, change, eventId, badge) => {
  const notification = { type: 'badge_sync', badge };
  expect(boardEventOf(change)).toEqual({ userId: 'u', eventId, order: 8, notification });
});

test('a new row is a message, a first reading a badge', () => {
  const message = { type: 'agent_board', messageId: 'm-1', badge: 3 };
  expect(boardEventOf({ NewImage: posted })).toEqual({ userId: 'u', eventId: 'm-1', order: 8, notification: message });
  expect(boardEventOf({ OldImage: posted, NewImage: read })).toEqual({
    userId: 'u',
    eventId: 'm-1.read',
    order: 8,
    notification: { type: 'badge_sync', badge: 2 },
  });
});

test.each([
  ['the board’s own row', { NewImage: { ...board, eventId: {} } }],
  ['the board’s own row, written anew', { OldImage: board, NewImage: board }],
  ['the board’s own row after a deletion', { OldImage: board, NewImage: { ...board, eventId: {} } }],
  ['another change of what was read', { OldImage: read, NewImage: { ...read, title: { S: 'x' } } }],
  ['another change of what is unread', { OldImage: posted, NewImage: { ...posted, title: { S: 'x' } } }],
  ['a row that went', { OldImage: posted }],
])('%s has no event', (_what, change) => {
  expect(boardEventOf(change)).toBeNull();
});

test.each(['userId', 'eventId', 'unreadCountAfter', 'boardRevision'])('a row without %s is not understood', (name) => {
  const { [name as 'userId']: _left, ...rest } = posted;
  expect(() => boardEventOf({ NewImage: rest })).toThrow('not of its form');
});

const badge = (userId: string, order: number): BoardEvent => ({
  userId,
  order,
  eventId: `${order}.read`,
  notification: { type: 'badge_sync', badge: order },
});
const message = (userId: string, order: number): BoardEvent => ({
  userId,
  order,
  eventId: `${order}`,
  notification: { type: 'agent_board', messageId: `${order}`, badge: order },
});

test('only the last badge of a user is sent, and each message', () => {
  const events = [badge('a', 1), message('a', 2), badge('b', 1), badge('a', 3), message('a', 4)];
  const told = coalesced(events).map(({ userId, eventId }) => `${userId} ${eventId}`);
  expect(told).toEqual(['a 2', 'b 1.read', 'a 3.read', 'a 4']);
});

test('every push of a user carries the newest count, whatever the order of the changes', () => {
  const events = [message('a', 2), badge('a', 3), message('b', 1), badge('a', 1)];
  expect(coalesced(events).map(({ userId, notification }) => [userId, notification.badge])).toEqual([
    ['a', 3],
    ['b', 1],
    ['a', 3],
  ]);
});

test('a push is claimed under its message, a badge under one name for all time', () => {
  expect(pushesOf(message('a', 2), ['x', 'y']).map(({ event, deviceId }) => `${event} ${deviceId}`)).toEqual([
    '2 x',
    '2 y',
  ]);
  expect(pushesOf(badge('a', 3), ['x'])).toMatchObject([{ event: 'badge_sync', order: 3 }]);
  expect(pushesOf(badge('a', 3), [])).toEqual([]);
});
