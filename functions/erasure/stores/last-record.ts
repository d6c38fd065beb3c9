import { isTime } from '../../../lib/contract/instant.ts';
import { inPartition, only } from '../../../lib/runtime/key-range.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import type { ConsentStates } from '../../access/consent-states.ts';

/** The time of the user's latest record of any agreement, by the pointers; null if there is none. */
export async function lastRecordAt(table: ConsentStates<'query'>, userId: string): Promise<string | null> {
  const asked = only(inPartition({ userId }), ['recordedAt']);
  let last: string | null = null;
  for await (const { recordedAt } of queryEach<{ recordedAt: string }>(table, asked)) {
    // Other rows are of no record.
    if (isTime(recordedAt) && (last === null || recordedAt > last)) last = recordedAt;
  }
  return last;
}
