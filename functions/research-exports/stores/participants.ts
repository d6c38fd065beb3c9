import type { Accounts } from '../../../lib/contract/accounts.ts';
import { readAccount } from '../../../lib/runtime/accounts.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';
import type { ConsentRecord, ConsentRecords } from '../../access/consent-states.ts';
import { readRecords } from '../../consents/exports.ts';
import { readAllProgress } from '../../learning/exports.ts';
import type { LearningProgress } from '../../learning/tables.ts';
import { readCompleted } from '../../questionnaire-responses/exports.ts';
import type { QuestionnaireResponses } from '../../questionnaire-responses/tables.ts';
import { readVersion } from '../../questionnaires/exports.ts';
import type { Questionnaires } from '../../questionnaires/tables.ts';
import { type Enrolment, isCurrent, pseudonymOf } from '../../research/rules.ts';
import { readEntries, readEpisodes } from '../../sleep/exports.ts';
import type { SleepEntries, SleepEpisodes } from '../../sleep/tables.ts';
import { readProfile } from '../../users/exports.ts';
import type { Users } from '../../users/tables.ts';
import type { FileName, Row } from '../rules/columns.ts';
import { consentIntervals, type Interval, isWithin } from '../rules/consent-intervals.ts';
import { shiftDaysOf, shifted } from '../rules/date-shift.ts';
import type { Design } from '../rules/export.ts';
import { consentHash } from '../rules/notice.ts';
import { diaryRow, episodeRow, type Participant, responseRows, unitRows } from '../rules/participant-rows.ts';
import type { Committed } from './pages.ts';

/** Reads everything that an export has about one participant, strongly consistently, and makes rows of it. */

export type ParticipantTables = {
  readonly Accounts: Handle<typeof Accounts, 'get' | 'check'>;
  readonly ConsentRecords: ConsentRecords<'query'>;
  readonly SleepEntries: SleepEntries<'query'>;
  readonly SleepEpisodes: SleepEpisodes<'query'>;
  readonly QuestionnaireResponses: QuestionnaireResponses<'query'>;
  readonly Questionnaires: Questionnaires<'get'>;
  readonly LearningProgress: LearningProgress<'query'>;
  readonly Users: Users<'get'>;
};

export type Read = Committed & {
  readonly rows: Readonly<Partial<Record<FileName, readonly Row[]>>>;
  readonly definitions: readonly string[];
};

type Reading = {
  readonly tables: ParticipantTables;
  readonly design: Design;
  readonly participant: Participant;
  readonly intervals: readonly Interval[];
};

type ParticipantRows = { readonly rows: readonly Row[]; readonly definitions?: readonly string[] };

/** @returns null if the user does not take part now */
export async function readParticipant(
  tables: ParticipantTables,
  { enrolment, design, key }: { enrolment: Enrolment; design: Design; key: Uint8Array },
): Promise<Read | null> {
  const { userId, group } = enrolment;
  const [account, profile, records] = await Promise.all([
    readAccount({ table: tables.Accounts, userId }),
    readProfile(tables.Users, userId),
    readChain(tables.ConsentRecords, { userId, agreementId: design.agreementId }),
  ]);
  const last = records.at(-1);
  // After a revocation the participant has to join again, even if the enrolment's row does not show the end yet.
  const isRevoked = records.some(
    ({ action, sequence }) => action === 'revoked' && sequence > enrolment.consentSequence,
  );
  // The row could name a record that there is not, which no revocation follows.
  const rests = records.some(
    ({ action, recordedAt, sequence }) =>
      action === 'agreed' && recordedAt === enrolment.consentRecordedAt && sequence === enrolment.consentSequence,
  );
  if (
    !last ||
    account.isClosed ||
    account.isInDoubt ||
    isRevoked ||
    !rests ||
    !isCurrent(enrolment, last, account.ends)
  )
    return null;
  const participant = {
    userId,
    key,
    pseudonym: pseudonymOf(key, userId),
    shiftDays: design.shiftDates ? shiftDaysOf(key, userId) : 0,
  };
  const intervals = consentIntervals(records, account.ends);
  const reading: Reading = { tables, design, participant, intervals };
  const found = await Promise.all(
    design.dataClasses.map(async (name) => [name, await readers[name](reading)] as const),
  );
  // A draft has no more than the file.
  const declared = new Set(design.quasiIdentifiers.map(({ field }) => field));
  const itself: Row = {
    pseudonym: participant.pseudonym,
    enrolledOn: shifted(enrolment.enrolledAt.slice(0, 10), participant.shiftDays),
    consentVersion: last.versionId,
    ...(declared.has('timezone') && { timezone: profile?.timezone ?? null }),
    ...(declared.has('locale') && { locale: plainLocale(profile?.locale ?? null) }),
    group,
  };
  return {
    userId,
    pseudonym: participant.pseudonym,
    consent: consentHash(key, last.recordId),
    consentVersionId: last.versionId,
    sequence: last.sequence,
    rows: { participants: [itself], ...Object.fromEntries(found.map(([name, { rows }]) => [name, rows])) },
    definitions: found.flatMap(([, { definitions = [] }]) => definitions),
  };
}

/** Oldest first. */
export async function readChain(table: ConsentRecords<'query'>, owner: { userId: string; agreementId: string }) {
  const all: ConsentRecord[] = [];
  let after: string | null = null;
  do {
    const { records, next } = await readRecords(table, owner, { limit: 500, after });
    all.push(...records);
    after = next;
  } while (after !== null);
  return all.toReversed();
}

/** Only language, script and region. The other parts of a language tag can be any text. */
function plainLocale(locale: string | null): string | null {
  return /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?(?=-|$)/.exec(locale ?? '')?.[0] ?? null;
}

const readers: Readonly<Record<Design['dataClasses'][number], (reading: Reading) => Promise<ParticipantRows>>> = {
  diary: async (reading) => {
    const { tables, participant } = reading;
    const entries = await readEntries(tables.SleepEntries, rangeOf(reading));
    const counted = entries.filter(({ updatedAt }) => counts(reading, updatedAt));
    return { rows: counted.map((entry) => diaryRow(participant, entry)) };
  },
  episodes: async (reading) => {
    const { tables, participant } = reading;
    const episodes = await readEpisodes(tables.SleepEpisodes, rangeOf(reading));
    const counted = episodes.filter(({ updatedAt }) => counts(reading, updatedAt));
    return { rows: counted.map((episode) => episodeRow(participant, episode)) };
  },
  questionnaires: readResponses,
  learning: async (reading) => {
    const { tables, participant } = reading;
    const courses = await readAllProgress(tables.LearningProgress, participant.userId);
    const rows = [...courses.values()].flatMap(({ courseId, units }) =>
      Object.values(units)
        // A unit may have been completed outside of the consent. A later look at it must not bring the result into the files.
        .filter(({ updatedAt, completedAt }) => counts(reading, updatedAt) && counts(reading, completedAt ?? updatedAt))
        .flatMap((unit) => unitRows(participant, courseId, unit)),
    );
    return { rows };
  },
};

/** The nights of the study. */
function rangeOf({ design, participant }: Reading) {
  return { userId: participant.userId, from: design.period.from, to: design.period.until };
}

/** Whether the server received it in the study's period, while the person consented. Only the time of the last change counts. */
function counts({ intervals, design }: Reading, receivedAt: string): boolean {
  const date = receivedAt.slice(0, 10);
  return design.period.from <= date && date <= design.period.until && isWithin(intervals, receivedAt);
}

const responsesAtOnce = 100;

/** A response that was corrected is not exported. Its correction is exported if it was received in time. */
async function readResponses(reading: Reading): Promise<ParticipantRows> {
  const { tables, participant } = reading;
  const rows: Row[] = [];
  const definitions = new Set<string>();
  let after: string | null = null;
  do {
    const page = { limit: responsesAtOnce, after };
    const { found, next } = await readCompleted(tables.QuestionnaireResponses, participant.userId, {}, page);
    for (const response of found) {
      const { completedAt, answersReceivedAt, amendedBy, isDeleted, questionnaireId, version } = response;
      if (amendedBy !== null || isDeleted) continue;
      // A draft can be older than the consent.
      if (!counts(reading, answersReceivedAt) || !counts(reading, completedAt)) continue;
      const definition = await readVersion(tables.Questionnaires, questionnaireId, version);
      if (!definition) throw new Error('a response to a questionnaire that is not there');
      definitions.add(`${questionnaireId}/${version}`);
      rows.push(...responseRows(participant, response, definition));
    }
    after = next;
  } while (after !== null);
  return { rows, definitions: [...definitions] };
}
