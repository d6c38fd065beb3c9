import { inPartition } from '../../../lib/runtime/key-range.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import type { ConsentStates } from '../../access/consent-states.ts';

/** The time of the user's latest record of any agreement, by the pointers; null if there is none. */
export async function lastRecordAt(table: ConsentStates<'query'>, userId: string): Promise<string | null> {
  const states = await queryAll<{ recordedAt: string }>(table, {
    ...inPartition({ userId }),
    ProjectionExpression: 'recordedAt',
  });
  return (
    states
      .map(({ recordedAt }) => recordedAt)
      .toSorted()
      .at(-1) ?? null
  );
}
