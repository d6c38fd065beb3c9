import { createHash } from 'node:crypto';
import { type ConsentRecord, ConsentRecords, ConsentStates } from '../../functions/access/consent-states.ts';
import {
  decideAgreement,
  decideRevocation,
  nextRecord,
  partitionOf,
  type Shown,
  stateOf,
} from '../../functions/consents/rules.ts';
import { registered, tokenKeysOf } from '../../functions/devices/rules.ts';
import { Devices, DeviceTokens } from '../../functions/devices/tables.ts';
import { type CourseProgress, merged, unitIn, withUnit } from '../../functions/learning/rules.ts';
import { LearningProgress } from '../../functions/learning/tables.ts';
import {
  completed,
  draftOf,
  fingerprintOf as fingerprintOfAnswers,
} from '../../functions/questionnaire-responses/rules.ts';
import { completedRows } from '../../functions/questionnaire-responses/stores/response-rows.ts';
import { QuestionnaireResponses } from '../../functions/questionnaire-responses/tables.ts';
import type { Definition } from '../../functions/questionnaires/rules.ts';
import { contentOf, entryProblems, fingerprintOf, nightOf } from '../../functions/sleep/rules.ts';
import type { EntryRow } from '../../functions/sleep/tables.ts';
import { SleepEntries } from '../../functions/sleep/tables.ts';
import { emailKey, type User } from '../../functions/users/rules.ts';
import { Users } from '../../functions/users/tables.ts';
import { type Incoming, verdictOn } from '../../lib/runtime/last-write-wins.ts';
import type { SyntheticPatient } from './patients.ts';

/** The rows of a patient, made by the same rules as the rows of the service. Pure. */

export const syntheticTables = [
  ConsentRecords,
  ConsentStates,
  Devices,
  DeviceTokens,
  LearningProgress,
  QuestionnaireResponses,
  SleepEntries,
  Users,
] as const;

export type SyntheticTable = (typeof syntheticTables)[number]['name'];

export type SyntheticRow = {
  readonly table: SyntheticTable;
  readonly item: Readonly<Record<string, unknown>>;
};

/** @throws an Error if a rule refuses the generated data */
export function rowsOf(patient: SyntheticPatient, questionnaires: readonly Definition[]): SyntheticRow[] {
  return [
    ...consentRows(consentRecordsOf(patient)),
    ...nightRows(patient),
    ...patient.questionnaires.flatMap((answered) => responseRows(patient, answered, questionnaires)),
    ...progressRows(patient),
    ...deviceRows(patient),
    ...userRows(patient),
  ];
}

/** The chains of a patient's consent records, each in order. */
export function consentRecordsOf({ userId, consents }: SyntheticPatient): ConsentRecord[] {
  const latest = new Map<string, ConsentRecord>();
  const records: ConsentRecord[] = [];
  for (const { agreementId, action, version, locale, appVersion, decidedAt } of consents) {
    const contentHash = version.locales[locale]?.contentHash;
    if (!contentHash) throw new Error(`${version.versionId} has no text in ${locale}`);
    const { versionId } = version;
    const shown: Shown = { versionId, contentHash, locale, localeSource: 'stated', appVersion };
    const before = latest.get(agreementId) ?? null;
    const decision = action === 'agreed' ? decideAgreement(before, shown, []) : decideRevocation(before, []);
    if (decision.outcome === 'unchanged') continue;
    const recordId = idOf(userId, agreementId, decidedAt);
    const now = new Date(decidedAt);
    const record = nextRecord(before, decision.change, { userId, agreementId, now, recordId, requestId: 'synthetic' });
    latest.set(agreementId, record);
    records.push(record);
  }
  return records;
}

function consentRows(records: readonly ConsentRecord[]): SyntheticRow[] {
  const last = new Map(records.map((record) => [record.agreementId, record]));
  return [
    ...records.map((record) => row('ConsentRecords', { userAgreement: partitionOf(record), ...record })),
    ...[...last.values()].map((record) => row('ConsentStates', stateOf(record))),
  ];
}

function nightRows({ userId, nights }: SyntheticPatient): SyntheticRow[] {
  return nights.map(({ date, writtenAt, stated }) => {
    const content = contentOf(stated);
    const now = new Date(writtenAt);
    const [problem] = entryProblems(content, date, now);
    if (problem) throw new Error(`${userId} ${date}: ${problem.path} ${problem.message}`);
    const stamp = firstStamp(writtenAt, fingerprintOf(content));
    const entry: EntryRow = { date, content, night: nightOf(date, content, content.quality), ...stamp };
    return row('SleepEntries', { userId, ...entry });
  });
}

function responseRows(
  { userId }: SyntheticPatient,
  { responseId, questionnaireId, version, answers, begunAt, completedAt }: SyntheticPatient['questionnaires'][number],
  definitions: readonly Definition[],
): SyntheticRow[] {
  const definition = definitions.find((each) => each.questionnaireId === questionnaireId && each.version === version);
  if (!definition) throw new Error(`there is no ${questionnaireId} ${version}`);
  const frame = { responseId, questionnaireId, bundleId: null, occurrenceId: null, entitlementId: null, window: null };
  const draft = { version, answers };
  const response = completed(draftOf(frame, draft), definition, new Date(completedAt));
  if (response.flags.length > 0) throw new Error(`${responseId} would alarm somebody`);
  const stamp = { ...firstStamp(begunAt, fingerprintOfAnswers(draft)), updatedAt: completedAt, revision: 2 };
  const done = { ...response, ...stamp, completedAt, answersReceivedAt: begunAt };
  return completedRows(userId, done).map((each) => row('QuestionnaireResponses', each));
}

function progressRows({ userId, units }: SyntheticPatient): SyntheticRow[] {
  const courses = new Map<string, CourseProgress>();
  for (const { courseId, unitId, completedAt, quiz } of units) {
    const before = courses.get(courseId) ?? null;
    const now = new Date(completedAt);
    const unit = merged(unitIn(before, unitId), unitId, { kind: 'completion', at: completedAt, quiz }, now);
    const after = withUnit(before, courseId, unit, now);
    if (after) courses.set(courseId, after);
  }
  return [...courses.values()].map((progress) => row('LearningProgress', { userId, ...progress }));
}

/** The phone as it last registered. No push service knows it, so nothing is ever sent. */
function deviceRows({ userId, platform, locale, appVersions, joinedAt }: SyntheticPatient): SyntheticRow[] {
  const current = appVersions.at(-1);
  if (!current) return [];
  const owner = { userId, deviceId: `${userId}-phone` };
  const registration = {
    platform,
    token: userId,
    environment: 'production',
    appVersion: current.appVersion,
    locale,
  } as const;
  const now = new Date(current.from);
  const revision = idOf(userId, 'device', current.from);
  const device = {
    ...registered(null, registration, { ...owner, endpointArn: null, now, revision }),
    registeredAt: joinedAt,
  };
  return [
    row('Devices', device),
    ...tokenKeysOf(device).map((tokenKey) => row('DeviceTokens', { tokenKey, ...owner, revision })),
  ];
}

/** The profile is written last: if it exists, all other rows exist. */
function userRows({ userId, email, locale, zone, joinedAt }: SyntheticPatient): SyntheticRow[] {
  const application = 'sleepcare';
  const user: User = { userId, application, username: email, email, locale, timezone: zone, createdAt: joinedAt };
  return [row('Users', { userId: emailKey(application, email), owner: userId }), row('Users', user)];
}

function firstStamp(writtenAt: string, fingerprint: string) {
  const incoming: Incoming = { statedAt: writtenAt, fingerprint, isDeleted: false, ifMatch: undefined };
  const verdict = verdictOn(null, incoming, new Date(writtenAt));
  if (verdict.outcome !== 'written') throw new Error('what is new is written');
  return verdict.stamp;
}

function idOf(...of: readonly string[]): string {
  return createHash('sha256').update(of.join('#')).digest('hex').slice(0, 32);
}

function row(table: SyntheticTable, item: Readonly<Record<string, unknown>>): SyntheticRow {
  return { table, item };
}
