import { readAccount } from '../../../lib/runtime/accounts.ts';
import type { ConsentRecord } from '../../access/consent-states.ts';
import { readEnrolment, readEnrolmentsOf, readStudyKey } from '../../research/exports.ts';
import { type Between, type Concern, isTellable, pseudonymOf } from '../../research/rules.ts';
import type { UserEnrolments } from '../../research/tables.ts';
import { consentIntervals, isWithin } from '../rules/consent-intervals.ts';
import { pageSeconds } from '../rules/notice.ts';
import { readExportRow, readLatestId } from '../stores/export-rows.ts';
import { putNotices } from '../stores/notices.ts';
import { readChain } from '../stores/participants.ts';
import type { ResearchExportDependencies } from './dependencies.ts';

type ConcernTables = ResearchExportDependencies['tables'] & {
  readonly UserEnrolments: UserEnrolments<'query'>;
};

/**
 * `putConcern`, and again later for a correction while an export is being made: a page that was read before the correction may be
 * committed after the notices were written.
 *
 * @returns the number of notices
 */
export async function noteConcern(
  { tables, send }: Pick<ResearchExportDependencies, 'send'> & { readonly tables: ConcernTables },
  concern: Concern,
): Promise<number> {
  const { userId, occasion, isSettled } = concern;
  if (!isTellable(occasion)) throw new NotTellable();
  // Asked before the notices: an export that ends between the two has all its pages then.
  const isBeingMade =
    occasion.reason === 'amended' &&
    isSettled !== true &&
    (await isExportUnderWay(tables, await readEnrolmentsOf(tables.UserEnrolments, userId)));
  const notices = await putConcern(tables, concern);
  if (isBeingMade) await send({ ...concern, isSettled: true }, pageSeconds);
  return notices;
}

async function isExportUnderWay(
  { ResearchExports }: ConcernTables,
  studies: readonly { readonly studyId: string }[],
): Promise<boolean> {
  for (const { studyId } of studies) {
    const exportId = await readLatestId(ResearchExports, studyId);
    const latest = exportId === null ? null : await readExportRow(ResearchExports, { studyId, exportId });
    if (latest?.status === 'pending' || latest?.status === 'running') return true;
  }
  return false;
}

/** Writes a notice for each export that contains the user. The pseudonym is computed from the user id with the study's key. @returns how many */
export async function putConcern(tables: ConcernTables, concern: Concern): Promise<number> {
  const { userId, studyId } = concern;
  const enrolments = studyId === null ? await readEnrolmentsOf(tables.UserEnrolments, userId) : [{ studyId }];
  let count = 0;
  for (const named of enrolments) {
    const exports = await concernedIn(tables, concern, named.studyId);
    const key = exports && (await readStudyKey(tables.StudyKeys, named.studyId));
    if (!key) continue;
    const participant = { studyId: named.studyId, pseudonym: pseudonymOf(key, userId) };
    count += await putNotices(tables, participant, exports.occasion, exports.before);
  }
  return count;
}

/** A message that no honest function sends is given up with an alarm. */
class NotTellable extends Error {
  override readonly name = 'NotTellable';
}

/** A participation has ended, and its consent has not. */
class StillConsents extends Error {
  override readonly name = 'StillConsents';
}

/** Which exports: those whose consent record is earlier than the record with this number; null: all. */
type Concerned = { readonly before: number | null; readonly occasion: Concern['occasion'] };

/**
 * Whoever may write to the queue could have recipients delete the rows of somebody who takes part. So the rows say which
 * participation has ended, and what its user has chosen. A message may come late, when the participant has come back and is in a later
 * export.
 *
 * @returns null if none has
 * @throws StillConsents, whose message is given up with an alarm
 */
async function concernedIn(
  { Enrolments, ConsentRecords, Accounts }: ConcernTables,
  { userId, occasion, between }: Concern,
  studyId: string,
): Promise<Concerned | null> {
  if (occasion.reason === 'amended') return { before: null, occasion };
  const enrolment = await readEnrolment(Enrolments, { studyId, userId });
  // Only an erasure leaves none.
  if (!enrolment || occasion.reason === 'erased') return enrolment ? null : { before: null, occasion };
  const [records, { ends }] = await Promise.all([
    readChain(ConsentRecords, { userId, agreementId: enrolment.agreementId }),
    readAccount({ table: Accounts, userId }),
  ]);
  const last = records.findLast(({ recordedAt }) => recordedAt <= occasion.at);
  const before = between?.now ?? (last ? last.sequence + 1 : null);
  const { leftAt, keepExported, consentRecordedAt, consentSequence } = enrolment;
  const consented = consentIntervals(records, ends);
  if (!between && occasion.at === leftAt) {
    // Only an end of its consent ends a participation. Recipients could not put back what they have deleted.
    const begun = records.find(({ sequence }) => sequence === consentSequence)?.recordedAt;
    if ((begun !== undefined && leftAt < begun) || isWithin(consented, leftAt)) throw new StillConsents();
    return { before, occasion: { ...occasion, keepExported } };
  }
  // An earlier participation: its consent had ended before the present one began.
  const earlier = records.findLast(({ sequence }) => before !== null && sequence < before);
  if (before === null || before > consentSequence || !earlier) return null;
  if (between) return records.some((each) => isRevokedIn(each, between)) ? { before, occasion } : null;
  const through = consented.find((each) => isWithin([each], earlier.recordedAt));
  return through && isWithin([through], consentRecordedAt) ? null : { before, occasion };
}

function isRevokedIn({ action, sequence }: Pick<ConsentRecord, 'action' | 'sequence'>, { before, now }: Between) {
  return action === 'revoked' && before < sequence && sequence < now;
}
