import { describe, expect, test } from 'vitest';
import { windowEventOf } from '../../functions/sleep/rules/window-event.ts';

/** What other services learn of a sleep window. */

const row = {
  userId: { S: 'u' },
  number: { S: '0002' },
  sequence: { N: '2' },
  releasedAt: { S: '2027-03-28T10:00:00.000Z' },
  isWithdrawn: { BOOL: false },
  replaces: {},
  minutes: { N: '350' },
  bedTime: { S: '01:10' },
};
const time = row.releasedAt.S;

describe('the event of a decision', () => {
  test('released: ids and times, and no prescribed value', () => {
    expect(windowEventOf({ NewImage: row })).toEqual({
      ...{ detailType: 'SleepWindowReleased', time },
      detail: { userId: 'u', sequence: 2, releasedAt: time },
    });
  });

  test('replaced: with the number of the earlier window', () => {
    expect(windowEventOf({ NewImage: { ...row, replaces: { N: '1' } } })).toEqual({
      ...{ detailType: 'SleepWindowReleased', time },
      detail: { userId: 'u', sequence: 2, releasedAt: time, replaces: 1 },
    });
  });

  test('withdrawn: with the number of the withdrawn window', () => {
    const NewImage = { ...row, replaces: { N: '1' }, isWithdrawn: { BOOL: true } };
    expect(windowEventOf({ NewImage })).toEqual({
      ...{ detailType: 'SleepWindowWithdrawn', time },
      detail: { userId: 'u', sequence: 1, withdrawnAt: time },
    });
  });

  test('no event for an erasure, or if nothing changed', () => {
    expect([windowEventOf({ OldImage: row }), windowEventOf({ OldImage: row, NewImage: row })]).toEqual([null, null]);
  });

  test.each(['userId', 'releasedAt', 'sequence'])('a row without %s is not understood', (name) => {
    expect(() => windowEventOf({ NewImage: { ...row, [name]: {} } })).toThrow(name);
  });
});
