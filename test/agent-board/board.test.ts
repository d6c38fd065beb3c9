import { describe, expect, test } from 'vitest';
import { type Board, orderedId, post, read, type StoredMessage } from '../../functions/agent-board/rules/board.ts';

const uuid = '11111111-2222-4333-8444-555555555555';
const draft = { userId: 'user', authorId: 'agent', title: 'Title', body: 'Text' };
const noon = '2026-03-01T12:00:00.000Z';
const idAt = (time: string) => orderedId(Date.parse(time), uuid);

describe('a post', () => {
  test.each<[string, Board | null, string, string, Omit<Board, 'latestAt'>]>([
    ['the first', null, noon, noon, { revision: 1, unreadCount: 1 }],
    ['a later one', at('2026-03-01T11:00:00.000Z'), noon, noon, { revision: 8, unreadCount: 4 }],
    ['one in the same millisecond', at(noon), noon, '2026-03-01T12:00:00.001Z', { revision: 8, unreadCount: 4 }],
    [
      'one after the clock stepped back a day',
      at(noon),
      '2026-02-28T12:00:00.000Z',
      '2026-03-01T12:00:00.001Z',
      { revision: 8, unreadCount: 4 },
    ],
    ...['9999-12-31T23:59:59.999Z', '+275760-09-13T00:00:00.000Z', '2026', ''].map(
      (planted): [string, Board, string, string, Omit<Board, 'latestAt'>] => [
        `one after a planted time that none follows: ${planted}`,
        at(planted),
        noon,
        noon,
        { revision: 8, unreadCount: 4 },
      ],
    ),
  ])('%s', (_name, board, now, createdAt, expected) => {
    const messageId = idAt(createdAt);
    expect(post(board, draft, new Date(now), uuid)).toEqual({
      message: {
        ...draft,
        messageId,
        createdAt,
        readAt: null,
        eventId: messageId,
        unreadCountAfter: expected.unreadCount,
        boardRevision: expected.revision,
      },
      board: { ...expected, latestAt: createdAt },
    });
  });

  function at(latestAt: string): Board {
    return { revision: 7, unreadCount: 3, latestAt };
  }
});

describe('a first reading', () => {
  const { message, board } = post(null, draft, new Date(noon), uuid);

  test.each([
    ['later', '2026-03-01T12:30:00.000Z', '2026-03-01T12:30:00.000Z'],
    ['in the same millisecond', noon, noon],
    ['by a clock that stepped back', '2026-02-28T12:00:00.000Z', noon],
  ])('%s', (_name, now, readAt) => {
    expect(read(board, message, new Date(now))).toEqual({
      message: {
        ...message,
        readAt,
        eventId: `${message.messageId}.read`,
        unreadCountAfter: 0,
        boardRevision: 2,
      } satisfies StoredMessage,
      board: { revision: 2, unreadCount: 0, latestAt: noon },
    });
  });
});

describe('an id', () => {
  test('is a UUID of version 7', () => {
    // The example of RFC 9562, appendix A.6.
    expect(orderedId(0x017f22e279b0, '00000000-0000-4cc3-98c4-dc0c0c07398f')).toBe(
      '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
    );
  });

  test.each([
    ['the next millisecond', noon, '2026-03-01T12:00:00.001Z'],
    ['the ends of the time machine', '2000-01-01T00:00:00.000Z', '2099-12-31T23:59:59.999Z'],
  ])('sorts by its time: %s', (_name, earlier, later) => {
    expect(orderedId(Date.parse(earlier), 'ffffffff-ffff-4fff-bfff-ffffffffffff') < idAt(later)).toBe(true);
  });
});
