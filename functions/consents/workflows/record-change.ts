import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isUnavailable } from '../../../lib/runtime/failure.ts';
import { contended, jitter, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { ConsentState, Decision } from '../rules/consent.ts';
import { type Circumstances, type ConsentRecord, nextRecord } from '../rules/record.ts';
import { appendRecord, readRecord, readState } from '../stores/consent-rows.ts';

/** Decisions on one user's one agreement, each taken on the state that it replaces. */

type Tables = { ConsentRecords: string; ConsentStates: string };
type Wanted = Omit<Circumstances, 'recordId'> & {
  /** A new one unless given. */
  recordId?: string;
  decide: (state: ConsentState | null) => Decision;
  /** Told where it was this call that wrote. */
  written?: () => void;
};

/** What varies in a test: ids and the wait between two tries. */
export type ChangeOptions = RetryOptions & { id: () => string };

/** Five repetitions: six parallel writers of one agreement surely get through. */
const defaults: ChangeOptions = { id: randomUUID, pause: jitter };

/**
 * Reads, decides, writes; when somebody else wrote in between, decides anew on what is there now. So of parallel calls
 * each answers the truth, and a doubled one writes nothing.
 *
 * @returns since when all is as wanted; null where it never was otherwise
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts, or the outcome stays unknown
 */
export async function recordChange(
  client: DynamoDBDocumentClient,
  tables: Tables,
  { decide, written, ...circumstances }: Wanted,
  { id, ...options }: ChangeOptions = defaults,
): Promise<string | null> {
  return retryOnContention(async () => {
    const state = await readState(client, tables.ConsentStates, circumstances);
    const decision = decide(state);
    if (decision.outcome === 'unchanged') return decision.at;
    const record = nextRecord(state, decision.change, { recordId: id(), ...circumstances });
    if (!(await isAppended(client, tables, record, id()))) return contended;
    written?.();
    return record.recordedAt;
  }, options);
}

/**
 * A lost answer is not a lost write: where the outcome is unknown, the ledger itself tells. Not the pointer: another call
 * may have moved it on by then, and this one's record is there all the same.
 */
async function isAppended(client: DynamoDBDocumentClient, tables: Tables, record: ConsentRecord, token: string) {
  try {
    return await appendRecord(client, tables, record, token);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    const found = await readRecord(client, tables.ConsentRecords, record);
    if (!found) throw error;
    return found.recordId === record.recordId;
  }
}
