import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { above, all, below, between, inPartition, type Range, startingWith } from '../../lib/runtime/key-range.ts';
import { queryAll } from '../../lib/runtime/query-all.ts';
import { queryPage } from '../../lib/runtime/query-page.ts';
import { handleOf } from '../../lib/runtime/table-handle.ts';

/** @param key where DynamoDB ended the page, if it did not reach the end of the rows */
async function page(rows: readonly number[], key?: object) {
  const send = async () => ({ Items: rows, LastEvaluatedKey: key });
  const notes = handleOf({ send } as unknown as DynamoDBDocumentClient, 'Notes');
  const { rows: shown, hasMore } = await queryPage<number>(notes, {}, 2);
  return { rows: shown, hasMore };
}

test('more follow where there is a row beyond the page, or where DynamoDB ends it at a megabyte', async () => {
  expect(await page([1, 2])).toEqual({ rows: [1, 2], hasMore: false });
  expect(await page([1, 2, 3], { id: 3 })).toEqual({ rows: [1, 2], hasMore: true });
  expect(await page([1], { id: 1 })).toEqual({ rows: [1], hasMore: true });
  expect(await page([], { id: 0 })).toEqual({ rows: [], hasMore: true });
});

describe('a range of a partition', () => {
  const asked: object[] = [];
  const send = async ({ input }: { input: object }) => {
    asked.push(input);
    return { Items: [{ date: '2026-01-02' }, { date: '2026-01-03' }] };
  };
  const notes = handleOf({ send } as unknown as DynamoDBDocumentClient, 'Notes');
  const page = (sort: Range, after: string | null = null) =>
    queryPage<object>(notes, inPartition({ userId: 'u' }, { date: sort }, after), 1);

  test.each<[string, Range, string | null, string | undefined]>([
    ['all', all, null, undefined],
    ['an empty prefix', startingWith(''), null, undefined],
    ['a prefix', startingWith('2026'), null, 'begins_with(#sort, :prefix)'],
    ['between', between('2026-01-01', '2026-02-01'), '2026-01-01', '#sort BETWEEN :from AND :to'],
    ['above', above('2026-01-01'), null, '#sort > :least'],
    ['below', below('2026-02-01'), '2026-01-31', '#sort < :most'],
  ])('%s: its page says where it ended', async (_what, sort, after, limits) => {
    expect(await page(sort, after)).toEqual({ rows: [{ date: '2026-01-02' }], hasMore: true, next: '2026-01-02' });
    expect(asked.at(-1)).toMatchObject({
      KeyConditionExpression: `#partition = :partition${limits ? ` AND ${limits}` : ''}`,
      ...(after && { ExclusiveStartKey: { userId: 'u', date: after } }),
    });
  });

  test.each<[string, Range, string | null]>([
    ['that ends before it begins', between('2026-02-01', '2026-01-01'), null],
    ['that ended before the cursor', between('2026-01-01', '2026-02-01'), '2026-02-02'],
    ['that begins behind the cursor', between('2026-01-01', '2026-02-01'), '2025-01-01'],
    ['of another prefix', startingWith('a'), 'b'],
    ['above the cursor', above('b'), 'b'],
    ['below the cursor', below('b'), 'b'],
  ])('a range %s holds nothing, and DynamoDB is not asked', async (_what, sort, after) => {
    const before = asked.length;
    expect(await page(sort, after)).toEqual({ rows: [], hasMore: false, next: null });
    expect(asked.length).toBe(before);
  });
});

test('a query of all rows ends after sixteen pages', async () => {
  const queries: object[] = [];
  const send = async (asked: object) => {
    queries.push(asked);
    return {
      Items: [{ id: queries.length }],
      ...(queries.length !== last && { LastEvaluatedKey: { id: queries.length } }),
    };
  };
  const notes = handleOf({ send } as unknown as DynamoDBDocumentClient, 'Notes');
  let last = 16;
  expect(await queryAll<object>(notes, {})).toHaveLength(16);
  [last, queries.length] = [0, 0];
  await expect(queryAll<object>(notes, {})).rejects.toMatchObject({ name: 'TooManyRows' });
  expect(queries).toHaveLength(16);
});
