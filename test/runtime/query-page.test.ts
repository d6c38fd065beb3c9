import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { queryPage } from '../../lib/runtime/query-page.ts';
import { handleOf } from '../../lib/runtime/table-handle.ts';

/** @param key where DynamoDB ended the page, if it did not reach the end of the rows */
async function page(rows: readonly number[], key?: object) {
  const send = async () => ({ Items: rows, LastEvaluatedKey: key });
  const notes = handleOf({ send } as unknown as DynamoDBDocumentClient, 'Notes');
  return queryPage<number>(notes, {}, 2);
}

test('more follow where there is a row beyond the page, or where DynamoDB ends it at a megabyte', async () => {
  expect(await page([1, 2])).toEqual({ rows: [1, 2], hasMore: false });
  expect(await page([1, 2, 3], { id: 3 })).toEqual({ rows: [1, 2], hasMore: true });
  expect(await page([1], { id: 1 })).toEqual({ rows: [1], hasMore: true });
  expect(await page([], { id: 0 })).toEqual({ rows: [], hasMore: true });
});
