import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { succeedsUnlessConflict } from '../../lib/runtime/commit.ts';
import { ifAbsent, ifAsRead, ifChangeIs, ifRevision, ifStill, ifUnchanged } from '../../lib/runtime/conditions.ts';
import { type Condition, putRow, removeRow } from '../../lib/runtime/rows.ts';
import { localTables } from '../local-tables.ts';

/** On the local DynamoDB: whether a put goes through, over a row that has only this beside its key. */

const { AuditEvents: Notes } = (await localTables(['AuditEvents'])).tables;

const key = { application: 'a', eventId: 'e' };

async function goesThrough(row: object | null, condition: Condition): Promise<boolean> {
  await (row ? putRow(Notes, { ...key, ...row }) : removeRow(Notes, key));
  return succeedsUnlessConflict(putRow(Notes, key, condition));
}

const most = 2 ** 51;

describe('ifAbsent', () => {
  test.each([
    [null, true],
    [{}, false],
  ])('over %o: %s', async (row, expected) => {
    expect(await goesThrough(row, ifAbsent('application'))).toBe(expected);
  });
});

describe('ifRevision', () => {
  test.each<[object | null, unknown, boolean]>([
    [null, undefined, true],
    [null, 0, true],
    [null, 1, false],
    [{ revision: 1 }, 1, true],
    [{ revision: 2 }, 1, false],
    [{ revision: 1 }, 0, false],
    [{ revision: most }, most, true],
    [{ revision: most }, most - 1, false],
    // What nobody counts on is none, and the next write replaces it.
    [{}, undefined, true],
    [{ revision: '5' }, '5', true],
    [{ revision: 'five' }, 'five', true],
    [{ revision: -1 }, -1, true],
    [{ revision: most * 2 }, most * 2, true],
    [{ revision: 1.4 }, 1.4, true],
    [{ revision: 'five' }, 3, true],
  ])('over %o, read as %s: %s', async (row, read, expected) => {
    expect(await goesThrough(row, ifRevision('application', read))).toBe(expected);
  });
});

describe('ifStill', () => {
  test.each<[object | null, unknown, boolean]>([
    [{ revision: 1 }, 1, true],
    [{ revision: 2 }, 1, false],
    [null, 1, false],
    [{ revision: 'five' }, 'five', true],
    [null, 'five', false],
  ])('over %o, read as %s: %s', async (row, read, expected) => {
    expect(await goesThrough(row, ifStill('application', read))).toBe(expected);
  });
});

describe('ifUnchanged and ifAsRead', () => {
  test.each<[object | null, Record<string, unknown>, boolean]>([
    [{ status: 'open', since: null }, { status: 'open', since: null }, true],
    [{ status: 'open', since: null }, { status: 'open', since: '2026' }, false],
    [{ status: 'open' }, { status: 'open', since: null }, false],
    [null, { status: 'open' }, false],
  ])('over %o, read as %o: %s', async (row, read, expected) => {
    for (const condition of [ifUnchanged(read), ifAsRead(read)])
      expect(await goesThrough(row, condition)).toBe(expected);
  });

  test('what was absent is absent still', async () => {
    const read = { status: 'open', since: undefined };
    expect(await goesThrough({ status: 'open' }, ifAsRead(read))).toBe(true);
    expect(await goesThrough({ status: 'open', since: '2026' }, ifAsRead(read))).toBe(false);
    expect(await goesThrough({}, ifAsRead({ since: undefined }))).toBe(true);
    expect(await goesThrough(null, ifAsRead({ application: 'a', since: undefined }))).toBe(false);
    await expect(goesThrough({ status: 'open' }, ifUnchanged(read))).rejects.toThrow('ConditionExpression');
  });
});

test.each<[unknown, unknown]>([
  [NumberValue.from('1000000000000000000000000000000'), '1000000000000000000000000000000'],
  [NumberValue.from('1.00000000000000000000000001'), '1.00000000000000000000000001'],
  [0.1, 0.1],
  [[1], [1]],
])('what no honest function writes, %o, does not stop the write; nothing in its place does', async (status, read) => {
  expect(await goesThrough({ status }, ifAsRead({ status: read }))).toBe(true);
  expect(await goesThrough({}, ifAsRead({ status: read }))).toBe(false);
});

describe('ifChangeIs', () => {
  const names = ['changeId', 'holder'] as const;
  test.each<[object | null, string | null, boolean]>([
    [null, null, true],
    [null, 'one', false],
    [{ changeId: 'one', holder: 'me' }, 'one', true],
    [{ changeId: 'two', holder: 'me' }, 'one', false],
    [{ changeId: 'one', holder: 'me' }, null, false],
    // Without one of them the row counts as none.
    [{ changeId: 'one' }, null, true],
    [{ changeId: 'one', holder: '' }, 'two', true],
  ])('over %o, read as %s: %s', async (row, read, expected) => {
    expect(await goesThrough(row, ifChangeIs('application', names, read))).toBe(expected);
  });
});
