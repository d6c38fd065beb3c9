import type { DynamoDBRecord } from 'aws-lambda';
import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import { runAllThenThrow } from '../../../lib/runtime/run-all-then-throw.ts';
import type { ConsentRecords } from '../../access/consent-states.ts';
import { readRecord } from '../../consents/exports.ts';
import { pointerChangesPrefix } from '../../evidence/buckets.ts';
import {
  changeIn,
  type Reporting,
  reportTampering,
  type Tampering,
  type WatchedTable,
} from '../../evidence/exports.ts';
import type { RowChange } from '../../evidence/rules.ts';
import { dataSharing } from '../../product.ts';
import { ledgerMetrics } from '../metrics.ts';
import { judgePointer, recordKeyOf } from '../rules/watched-pointer.ts';
import { shownRow } from './watch-changes.ts';

const pointers: WatchedTable = {
  prefix: pointerChangesPrefix,
  metric: ledgerMetrics.pointersTampered,
  message: 'a forbidden change of a pointer',
  subject: 'pointers to consent records tampered with',
  runbook: 'consent-pointers-tampered-with',
};

type PointerWatching = Reporting & {
  /** `ConsentRecords`. */
  readonly table: ConsentRecords<'get'>;
  /** Tells the patient. A change that comes again is the same consent. */
  readonly tell: (consent: DataConsent) => Promise<void>;
};

/** A consent that opens a patient's data to others. */
export type DataConsent = {
  readonly userId: string;
  readonly recordedAt: string;
  readonly hash: string;
  /** Of the change in the stream: it is the same where the change comes again. */
  readonly eventId: string;
};

const atOnce = 10;

/**
 * Compares each pointer, as it was written, with the record that it names. A change that no commit of ours makes is stored with the
 * record, counted for an alarm, and reported to people. The patient gets a mail about each consent that opens data, because a role
 * that writes consents can also write whole ones.
 *
 * @throws after both parts if a dependency cannot be reached; the batch comes again, and objects and mails exist only once
 */
export async function watchPointers(records: readonly DynamoDBRecord[], watching: PointerWatching): Promise<null> {
  const judged = await mapWithConcurrency(records, atOnce, async (record) => {
    const change = changeIn(record);
    const recordKey = recordKeyOf(change);
    const named = recordKey && (await readRecord(watching.table, recordKey));
    const isKey = recordKey !== null;
    return { change, named, isKey, suspicion: judgePointer(change, named), eventId: record.eventID ?? '' };
  });
  const found = judged.flatMap(({ change, named, suspicion, eventId }): Tampering[] => {
    if (!suspicion) return [];
    const { userId, agreementId, recordedAt } = change.after ?? change.before ?? {};
    const recordKey = { userAgreement: `${userId}#${agreementId}`, recordedAt: String(recordedAt) };
    return [
      {
        ...{ eventId, suspicion, at: change.at },
        kept: { ...recordKey, ...change, record: named },
        ...shownRow(String(userId), String(agreementId), recordKey.recordedAt),
      },
    ];
  });
  // A key that no record can have opens nothing, and can be too long for a mail.
  const consents = judged.flatMap(({ change, isKey, eventId }) => (isKey ? opensData(change, eventId) : []));
  // Patients are told also while the bucket or the topic is down.
  await runAllThenThrow([
    ['patients', async () => void (await mapWithConcurrency(consents, atOnce, watching.tell))],
    ['findings', () => reportTampering(found, pointers, watching)],
  ]);
  return null;
}

/**
 * The consent that opens data by a change of a pointer. Also where the change is an alarm, and where the record is not there yet: as
 * soon as it is, a look at the patient believes the pointer. An imported consent counts, too, because whoever writes records can mark
 * any as imported. If an earlier consent is shown again, the patient is told again: perhaps a revocation came in between.
 */
function opensData({ after }: RowChange, eventId: string): DataConsent[] {
  if (after?.agreementId !== dataSharing || after.action !== 'agreed') return [];
  const { userId, recordedAt, hash } = after;
  return [{ userId: String(userId), recordedAt: String(recordedAt), hash: String(hash), eventId }];
}
