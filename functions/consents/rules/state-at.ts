import type { ConsentRecord } from './record.ts';

type Known = {
  /** The latest one, of `past` or of all. */
  record: ConsentRecord | null;
  /** When the deletion of the account was requested. */
  accountEnd: string | null;
  /** Null: what holds now is asked for. */
  past: string | null;
  now: Date;
};

/** What held at a time. Every consent ends with the request to delete the account: nobody is there who could revoke it. */
export function stateAt({ record, accountEnd, past, now }: Known) {
  // Neither a record nor an end that is known is later than what is answered for.
  const at = past ?? [now.toISOString(), record?.recordedAt ?? '', accountEnd ?? ''].toSorted().at(-1) ?? '';
  const endedAt = accountEnd !== null && accountEnd <= at ? accountEnd : null;
  return { at, agreed: record?.action === 'agreed' && endedAt === null, record, endedAt };
}
