import type { Eraser } from '../../../lib/runtime/eraser.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { type Counted, isMoved, type OverviewTables, readCounted } from './figure-rows.ts';

/** What is counted of a person, out of the figures. The streams do the same, as the rows go. */
export const eraseEntries: Eraser<keyof OverviewTables> = async ({ tables }, { userId }) => {
  const query = { KeyConditionExpression: 'userId = :userId', ExpressionAttributeValues: { ':userId': userId } };
  for await (const { entry } of queryEach<Counted & { entry: string }>(tables.OverviewEntries, query)) {
    await retryOnContention(async () => {
      const before = await readCounted(tables.OverviewEntries, userId, entry);
      return !before || (await isMoved(tables, { userId, entry }, before, [])) || contended;
    });
  }
};
