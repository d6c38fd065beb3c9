import { readEnrolmentsOf, readStudyKey } from '../../research/exports.ts';
import { type Between, type Concern, pseudonymOf } from '../../research/rules.ts';
import { pageSeconds } from '../rules/notice.ts';
import { readExportRow, readLatestId } from '../stores/export-rows.ts';
import { putNotices } from '../stores/notices.ts';
import { readChain } from '../stores/participants.ts';
import type { ResearchExportReach } from './reach.ts';

type ConcernTables = ResearchExportReach['tables'] & { readonly UserEnrolments: string };

/**
 * `putConcern`, and again later for a correction while an export is being made: a page that was read before the correction may be
 * committed after the notices were written.
 *
 * @returns the number of notices
 */
export async function noteConcern(
  { client, tables, send }: Pick<ResearchExportReach, 'client' | 'send'> & { readonly tables: ConcernTables },
  concern: Concern,
): Promise<number> {
  const { userId, occasion, isSettled } = concern;
  // Asked before the notices: an export that ends between the two has all its pages then.
  const isBeingMade =
    occasion.reason === 'amended' &&
    isSettled !== true &&
    (await isExportUnderWay(client, tables, await readEnrolmentsOf(client, tables.UserEnrolments, userId)));
  const notices = await putConcern(client, tables, concern);
  if (isBeingMade) await send({ ...concern, isSettled: true }, pageSeconds);
  return notices;
}

async function isExportUnderWay(
  client: ResearchExportReach['client'],
  { ResearchExports }: ConcernTables,
  studies: readonly { readonly studyId: string }[],
): Promise<boolean> {
  for (const { studyId } of studies) {
    const exportId = await readLatestId(client, ResearchExports, studyId);
    const latest = exportId === null ? null : await readExportRow(client, ResearchExports, { studyId, exportId });
    if (latest?.status === 'pending' || latest?.status === 'running') return true;
  }
  return false;
}

/** Writes a notice for each export that contains the user. The pseudonym is computed from the user id with the study's key. @returns how many */
export async function putConcern(
  client: ResearchExportReach['client'],
  tables: ConcernTables,
  concern: Concern,
): Promise<number> {
  const { userId, studyId, occasion, between } = concern;
  if (between && !(await isRevokedBetween(client, tables.ConsentRecords, userId, between))) return 0;
  const enrolments = studyId === null ? await readEnrolmentsOf(client, tables.UserEnrolments, userId) : [{ studyId }];
  const before = between?.now ?? (await firstLater(client, tables.ConsentRecords, concern));
  let count = 0;
  for (const named of enrolments) {
    const key = await readStudyKey(client, tables.StudyKeys, named.studyId);
    if (!key) continue;
    const participant = { studyId: named.studyId, pseudonym: pseudonymOf(key, userId) };
    count += await putNotices(client, tables, participant, occasion, before);
  }
  return count;
}

/**
 * The number of the first consent record after the occasion; null if all exports count. The message may come late, when the participant
 * has come back and is in a later export.
 */
async function firstLater(
  client: ResearchExportReach['client'],
  table: string,
  { userId, agreementId, occasion }: Concern,
): Promise<number | null> {
  if (agreementId === undefined) return null;
  const records = await readChain(client, table, { userId, agreementId });
  const last = records.findLast(({ recordedAt }) => recordedAt <= occasion.at);
  return last ? last.sequence + 1 : null;
}

async function isRevokedBetween(
  client: ResearchExportReach['client'],
  table: string,
  userId: string,
  { agreementId, before, now }: Between,
): Promise<boolean> {
  const records = await readChain(client, table, { userId, agreementId });
  return records.some(({ action, sequence }) => action === 'revoked' && before < sequence && sequence < now);
}
