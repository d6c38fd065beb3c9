import { randomUUID } from 'node:crypto';
import { isTime } from '../../../lib/contract/instant.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { ConsentRecord, ConsentRecords, ConsentState, ConsentStates } from '../../access/consent-states.ts';
import type { Revocation } from '../../consent-events/rules.ts';
import { appendRecords, decideTwice, readRecord, readState } from '../../consents/exports.ts';
import { decideRevocation, nextRecord } from '../../consents/rules.ts';
import { type Enrolment, endsBy, left } from '../rules/enrolment.ts';
import { type EndedTables, endEnrolment, readEnrolment, readEnrolmentsOf } from '../stores/enrolments.ts';
import type { Enrolments, UserEnrolments } from '../tables.ts';

type EndingTables = EndedTables & {
  readonly Enrolments: Enrolments<'get'>;
  readonly UserEnrolments: UserEnrolments<'query'>;
};
type LeaveTables = EndingTables & {
  readonly ConsentStates: ConsentStates<'get' | 'put'>;
  readonly ConsentRecords: ConsentRecords<'put' | 'query'>;
};
type RecordTables = { readonly ConsentRecords: ConsentRecords<'get'> };

type Wish = {
  readonly userId: string;
  readonly studyId: string;
  /** Null: not said. */
  readonly keepExported: boolean | null;
  readonly ends: readonly string[];
  readonly now: Date;
  readonly requestId: string;
};

/**
 * Ends a user's participation by revoking the consent that it rests on; both, or neither. With it ends what else rests on that
 * consent. Of a study that the user has left it changes only the choice, and revokes nothing.
 *
 * @returns the enrolment as it is then; null where the user never joined the study
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function leaveStudy(
  tables: LeaveTables,
  { userId, studyId, keepExported, ends, now, requestId }: Wish,
  options: RetryOptions = {},
): Promise<(Enrolment & { readonly leftAt: string }) | null> {
  return retryOnContention(async () => {
    const all = await readEnrolmentsOf(tables.UserEnrolments, userId);
    const found = all.find((each) => each.studyId === studyId);
    if (!found) return null;
    const own = await confirmed(tables, found);
    // Of somebody who takes part the row has no choice yet.
    const keeps = keepExported ?? (own.leftAt !== null && own.keepExported);
    if (own.leftAt !== null) {
      const leftBefore = { ...own, leftAt: own.leftAt };
      if (keeps === own.keepExported) return leftBefore;
      const changed = { ...left(own, { leftAt: own.leftAt, keepExported: keeps }), leftAt: own.leftAt };
      return (await commit(endEnrolment(tables, changed, own))) ? changed : contended;
    }
    const { agreementId } = own;
    const state = await readState(tables.ConsentStates, { userId, agreementId });
    const decide = (latest: ConsentState | null) => decideRevocation(latest, ends);
    const { before, decision } = await decideTwice(tables.ConsentRecords, { userId, agreementId, state, now }, decide);
    const circumstances = { userId, agreementId, now, after: ends.at(-1) ?? null, recordId: randomUUID(), requestId };
    const record = decision.outcome === 'change' ? nextRecord(before, decision.change, circumstances) : null;
    const leftAt = record?.recordedAt ?? (decision.outcome === 'unchanged' ? decision.at : null) ?? now.toISOString();
    const enrolments = all.map((each) => (each === found ? own : each));
    const rests = enrolments.filter((each) => each.leftAt === null && each.agreementId === agreementId);
    const items = rests.flatMap((each) => {
      // The choice is about this study; of the others it was not asked.
      const after = left(each, { leftAt, keepExported: each.studyId === studyId && keeps });
      return endEnrolment(tables, after, each);
    });
    const isDone = record
      ? await appendRecords(tables, [record], randomUUID(), new Map(state ? [[agreementId, state]] : []), items)
      : await commit(items);
    return isDone ? { ...left(own, { leftAt, keepExported: keeps }), leftAt } : contended;
  }, options);
}

/** Who has left according to the user's row alone, takes part: exports read the study's row. */
async function confirmed(tables: Pick<LeaveTables, 'Enrolments'>, own: Enrolment): Promise<Enrolment> {
  const ofStudy = own.leftAt === null ? null : await readEnrolment(tables.Enrolments, own);
  return { ...own, leftAt: ofStudy?.leftAt === null ? null : own.leftAt };
}

/**
 * Ends what rested on a consent that was revoked by whatever route. Again it changes nothing, and a later consent by which the user
 * has joined again stays.
 *
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function endByRevocation(
  tables: EndingTables & RecordTables,
  revocation: Revocation,
  options: RetryOptions = {},
): Promise<number> {
  const record = await readRecord(tables.ConsentRecords, revocation);
  // Whoever writes to the queue revokes nothing: only the ledger does.
  if (record?.action !== 'revoked' || record.sequence !== revocation.sequence) return 0;
  const { userId, agreementId, recordedAt } = record;
  return retryOnContention(async () => {
    const named = await readEnrolmentsOf(tables.UserEnrolments, userId);
    // By the study's rows, which exports read: the user's could say that they rest on another consent.
    const found = await Promise.all(named.map((each) => readEnrolment(tables.Enrolments, each)));
    const ended = await Promise.all(
      found.map(async (each) => each?.agreementId === agreementId && (await isEnded(tables, each, record))),
    );
    const over = found.flatMap((each, at) => (each && ended[at] ? [{ each, read: named[at] ?? each }] : []));
    const items = over.flatMap(({ each, read: { revision } }) =>
      endEnrolment(tables, left(each, { leftAt: recordedAt, keepExported: false }), { ...each, revision }),
    );
    return items.length === 0 || (await commit(items)) ? over.length : contended;
  }, options);
}

/** A later consent carries it on. The row alone could name any, so the ledger is asked. */
async function isEnded(tables: RecordTables, enrolment: Enrolment, revocation: ConsentRecord): Promise<boolean> {
  const { userId, agreementId, leftAt, consentRecordedAt: recordedAt, consentSequence } = enrolment;
  if (leftAt !== null || endsBy(enrolment, revocation)) return leftAt === null;
  const later = isTime(recordedAt)
    ? await readRecord(tables.ConsentRecords, { userId, agreementId, recordedAt })
    : null;
  return later?.action !== 'agreed' || later.sequence !== consentSequence;
}
