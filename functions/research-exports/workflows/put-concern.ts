import { readEnrolmentsOf, readStudyKey } from '../../research/exports.ts';
import { pseudonymOf } from '../../research/rules/pseudonym.ts';
import type { Concern } from '../rules/leaver.ts';
import { putNotices } from '../stores/notices.ts';
import type { Reach } from './reach.ts';

type Tables = Reach['tables'] & { readonly UserEnrolments: string };

/** Notes which exports contain a participant. Only here, with the key of the study, a user id becomes a pseudonym. @returns how many do */
export async function putConcern(
  client: Reach['client'],
  tables: Tables,
  { userId, studyId, occasion }: Concern,
): Promise<number> {
  const enrolments = studyId === null ? await readEnrolmentsOf(client, tables.UserEnrolments, userId) : [{ studyId }];
  let count = 0;
  for (const named of enrolments) {
    const key = await readStudyKey(client, tables.StudyKeys, named.studyId);
    if (!key) continue;
    const participant = { studyId: named.studyId, pseudonym: pseudonymOf(key, userId) };
    count += await putNotices(client, tables, participant, occasion);
  }
  return count;
}
