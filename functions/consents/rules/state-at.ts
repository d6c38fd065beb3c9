import { endAfter } from '../../../lib/contract/accounts.ts';
import type { ConsentRecord } from './record.ts';

type Known = {
  /** The latest one, of `past` or of all. */
  record: ConsentRecord | null;
  /** When the account was closed, each time. */
  ends: readonly string[];
  /** Null: what holds now is asked for. */
  past: string | null;
  now: Date;
};

/**
 * What held at a time. Every consent ends with the request to delete the account, and stays ended when that is taken back:
 * the user is asked again.
 */
export function stateAt({ record, ends, past, now }: Known) {
  // Neither a record nor an end that is known is later than what is answered for.
  const at = past ?? [now.toISOString(), record?.recordedAt ?? '', ends.at(-1) ?? ''].toSorted().at(-1) ?? '';
  const until = ends.filter((end) => end <= at);
  const endedAt = record && endAfter(record.recordedAt, until);
  return { at, agreed: record?.action === 'agreed' && endedAt === null, record, endedAt };
}
