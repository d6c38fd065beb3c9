import { readEnrolmentsOf, readStudyKey } from '../../research/exports.ts';
import { pseudonymOf } from '../../research/rules/pseudonym.ts';
import type { Between, Concern } from '../rules/leaver.ts';
import { putNotices } from '../stores/notices.ts';
import { readChain } from '../stores/participants.ts';
import type { Reach } from './reach.ts';

type Tables = Reach['tables'] & { readonly UserEnrolments: string };

/** Writes a notice for each export that contains the user. The pseudonym is computed from the user id with the study's key. @returns how many */
export async function putConcern(
  client: Reach['client'],
  tables: Tables,
  { userId, studyId, occasion, between }: Concern,
): Promise<number> {
  if (between && !(await isRevokedBetween(client, tables.ConsentRecords, userId, between))) return 0;
  const enrolments = studyId === null ? await readEnrolmentsOf(client, tables.UserEnrolments, userId) : [{ studyId }];
  let count = 0;
  for (const named of enrolments) {
    const key = await readStudyKey(client, tables.StudyKeys, named.studyId);
    if (!key) continue;
    const participant = { studyId: named.studyId, pseudonym: pseudonymOf(key, userId) };
    count += await putNotices(client, tables, participant, occasion, between?.now ?? null);
  }
  return count;
}

async function isRevokedBetween(
  client: Reach['client'],
  table: string,
  userId: string,
  { agreementId, before, now }: Between,
): Promise<boolean> {
  const records = await readChain(client, table, { userId, agreementId });
  return records.some(({ action, sequence }) => action === 'revoked' && before < sequence && sequence < now);
}
