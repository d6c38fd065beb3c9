import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { seededContents } from '../../bin/synthetic-patients/contents.ts';
import { type SyntheticPatient, syntheticPatients } from '../../bin/synthetic-patients/patients.ts';
import { consentRecordsOf, rowsOf } from '../../bin/synthetic-patients/rows.ts';
import { partitionOf, stateOf } from '../../functions/consents/rules/record.ts';
import type { Enrolment } from '../../functions/research/rules/enrolment.ts';
import { keyBytes } from '../../functions/research/rules/pseudonym.ts';
import { mapWithConcurrency } from '../../lib/runtime/map-with-concurrency.ts';

/** The rows of a study's participants, written without HTTP: each has those of one of ten synthetic patients, under another user id. */

const agreementId = 'research-data';
const templates = 10;
/** Of which the ten are taken: many write down fewer nights. */
const candidates = 400;
/** Of questionnaires, at most. */
const responses = 12;
const together = 25;
const atOnce = 8;

type Item = Readonly<Record<string, unknown>>;
type TableRow = { readonly table: string; readonly item: Item };
export type Database = { readonly client: DynamoDBDocumentClient; readonly tables: (name: string) => string };
export type Population = { readonly studyId: string; readonly participants: number; readonly days: number };

/** @returns how many rows were written */
export async function writeParticipants(place: Database, population: Population): Promise<number> {
  const models = await modelsOf(population.days);
  // The local DynamoDB keeps its keys in the order of this hash: rows in this order are appended, and not inserted.
  const hashOf = (userId: string) => createHash('md5').update('Outliers').update(userId).digest('hex');
  const userIds = Array.from({ length: population.participants }, () => randomUUID())
    .map((userId) => [hashOf(userId), userId] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, userId]) => userId);
  const key = { studyId: population.studyId, secret: new Uint8Array(randomBytes(keyBytes)) };
  await write(place, [{ table: 'StudyKeys', item: key }]);
  const counts = await mapWithConcurrency([...userIds.entries()], atOnce, async ([index, userId]) => {
    const model = models[index % models.length];
    if (!model) throw new Error('there is no patient with so many nights');
    const rows = [...participation(model.patient, userId, population.studyId)];
    for (const { table, item } of model.rows) rows.push({ table, item: { ...item, userId } });
    await write(place, rows);
    return rows.length;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Patients who consent to research once and wrote down a night on so many days, and their rows. */
async function modelsOf(days: number) {
  const contents = await seededContents();
  const until = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const plan = { patients: candidates, days: Math.ceil(days * 1.2) + 20, seed: 'research-export', until };
  const found: { patient: SyntheticPatient; rows: TableRow[] }[] = [];
  for (const patient of syntheticPatients(plan, contents)) {
    const decisions = patient.consents.filter((consent) => consent.agreementId === agreementId);
    if (decisions.length !== 1 || patient.nights.length < days) continue;
    const questionnaires = patient.questionnaires.slice(-responses);
    const taken = { ...patient, nights: patient.nights.slice(-days), questionnaires };
    const rows = rowsOf(taken, contents.questionnaires).filter(
      ({ table, item }) => isExported(table) && item.userId === patient.userId,
    );
    found.push({ patient: taken, rows });
    if (found.length === templates) break;
  }
  return found;
}

function isExported(table: string): boolean {
  return ['LearningProgress', 'QuestionnaireResponses', 'SleepEntries', 'Users'].includes(table);
}

function participation(patient: SyntheticPatient, userId: string, studyId: string): TableRow[] {
  const ofStudy = patient.consents.filter((consent) => consent.agreementId === agreementId);
  // All that follows was received while the consent held.
  const consents = ofStudy.map((consent) => ({ ...consent, decidedAt: patient.joinedAt }));
  const [record] = consentRecordsOf({ ...patient, userId, consents });
  if (!record) throw new Error('whoever takes part consents');
  const enrolment: Enrolment = {
    studyId,
    userId,
    enrolledAt: record.recordedAt,
    leftAt: null,
    group: null,
    agreementId,
    consentId: record.recordId,
    consentRecordedAt: record.recordedAt,
    consentSequence: record.sequence,
    keepExported: false,
    codeId: 'code',
    revision: 1,
  };
  return [
    { table: 'ConsentRecords', item: { userAgreement: partitionOf(record), ...record } },
    { table: 'ConsentStates', item: stateOf(record) },
    { table: 'Enrolments', item: enrolment },
    { table: 'UserEnrolments', item: enrolment },
  ];
}

/** @throws an Error where DynamoDB leaves a row out */
async function write({ client, tables }: Database, rows: readonly TableRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += together) {
    const byTable = Map.groupBy(rows.slice(from, from + together), ({ table }) => table);
    const RequestItems = Object.fromEntries(
      [...byTable].map(([table, some]) => [tables(table), some.map(({ item }) => ({ PutRequest: { Item: item } }))]),
    );
    const { UnprocessedItems = {} } = await client.send(new BatchWriteCommand({ RequestItems }));
    if (Object.keys(UnprocessedItems).length > 0) throw new Error('DynamoDB left rows out');
  }
}
