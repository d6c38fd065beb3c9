import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { inPartition, type SortRange } from '../../lib/runtime/key-range.ts';
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
  const page = (sort: SortRange) => queryPage<object>(notes, inPartition({ userId: 'u' }, { date: sort }), 1);

  test.each<[string, SortRange, string | undefined]>([
    ['all', { after: null }, undefined],
    ['an empty prefix', { prefix: '' }, undefined],
    ['a prefix', { prefix: '2026' }, 'begins_with(#sort, :prefix)'],
    ['between', { from: '2026-01-01', to: '2026-02-01', after: '2026-01-01' }, '#sort BETWEEN :from AND :to'],
    ['above', { above: '2026-01-01' }, '#sort > :above'],
    ['below', { below: '2026-02-01', after: '2026-01-31' }, '#sort < :below'],
    ['up to', { upTo: '2026-02-01' }, '#sort <= :upTo'],
  ])('%s: its page says where it ended', async (_what, sort, limits) => {
    expect(await page(sort)).toEqual({ rows: [{ date: '2026-01-02' }], hasMore: true, next: '2026-01-02' });
    expect(asked.at(-1)).toMatchObject({
      KeyConditionExpression: `#partition = :partition${limits ? ` AND ${limits}` : ''}`,
      ...('after' in sort && sort.after && { ExclusiveStartKey: { userId: 'u', date: sort.after } }),
    });
  });

  test.each<SortRange>([
    { from: '2026-02-01', to: '2026-01-01' },
    { from: '2026-01-01', to: '2026-02-01', after: '2026-02-02' },
    { from: '2026-01-01', to: '2026-02-01', after: '2025-01-01' },
    { prefix: 'a', after: 'b' },
    { above: 'b', after: 'b' },
    { below: 'b', after: 'b' },
    { upTo: 'b', after: 'c' },
  ])('%o holds nothing, and DynamoDB is not asked', async (sort) => {
    const before = asked.length;
    expect(await page(sort)).toEqual({ rows: [], hasMore: false, next: null });
    expect(asked.length).toBe(before);
  });
});
