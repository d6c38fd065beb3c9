import { endAfter } from '../../../lib/contract/accounts.ts';
import type { ConsentRecord } from '../../access/consent-states.ts';

type StateSources = {
  /** The latest record: of `past`, or of all records. */
  record: ConsentRecord | null;
  /** Each time at which the account was closed. */
  ends: readonly string[];
  /** Null asks for the present state. */
  past: string | null;
  now: Date;
};

/**
 * The state at a time. Every consent ends with the request to delete the account. It stays ended if the user cancels
 * the request: the app asks again.
 */
export function stateAt({ record, ends, past, now }: StateSources) {
  // No record and no end in the answer is later than the requested time.
  const at = past ?? [now.toISOString(), record?.recordedAt ?? '', ends.at(-1) ?? ''].toSorted().at(-1) ?? '';
  const until = ends.filter((end) => end <= at);
  const endedAt = record && endAfter(record.recordedAt, until);
  return { at, agreed: record?.action === 'agreed' && endedAt === null, record, endedAt };
}
