import type { Eraser } from '../../../lib/runtime/eraser.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { type Counted, isMoved, type OverviewTables, readCounted } from './figure-rows.ts';

/** What is counted of a person, out of the figures. The streams do the same, as the rows go. */
export const eraseEntries: Eraser<keyof OverviewTables> = async ({ dynamo, tables }, { userId }) => {
  const query = {
    TableName: tables.OverviewEntries,
    KeyConditionExpression: 'userId = :userId',
    ExpressionAttributeValues: { ':userId': userId },
  };
  for await (const { entry } of queryEach<Counted & { entry: string }>(dynamo, query)) {
    await retryOnContention(async () => {
      const before = await readCounted(dynamo, tables.OverviewEntries, userId, entry);
      return !before || (await isMoved(dynamo, tables, { userId, entry }, before, [])) || contended;
    });
  }
};
