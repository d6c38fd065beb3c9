import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { whileOpen } from '../../../lib/runtime/accounts.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { postNotice } from '../../agent-board/exports.ts';
import { type CallerPlace, readBundles, readPlace } from '../../questionnaires/exports.ts';
import {
  type Bundle,
  type Occurrence,
  occurrencesOf,
  type ReminderKind,
  reminderOn,
  remindingDays,
} from '../../questionnaires/rules/bundle.ts';
import { addDays, defaultZone, localTime } from '../../questionnaires/rules/local-date.ts';
import { reminderOf, remindFromHour } from '../rules/reminder.ts';
import type { Granted, StartReader } from '../stores/entitlements.ts';
import { isReminded, putReminder } from '../stores/reminders.ts';
import { claimOf, readClaims } from '../stores/response-rows.ts';

/** Agent-board messages of what is due: once when a window begins, once on the day before its last. */

export type Reminding = {
  readonly client: DynamoDBDocumentClient;
  readonly tables: {
    readonly Questionnaires: string;
    readonly QuestionnaireResponses: string;
    readonly Users: string;
    readonly AgentBoardMessages: string;
    readonly Accounts: string;
  };
  readonly now: Date;
  readonly startedOn: StartReader;
  readonly remainingMs: () => number;
};

/** What a run keeps for itself; the next one goes on. */
const reserveMs = 10_000;

/** @returns how many were reminded; repeatable */
export async function remind(reach: Reminding): Promise<{ reminded: number; isComplete: boolean }> {
  const { client, tables, now, startedOn, remainingMs } = reach;
  const bundles = await readBundles(client, tables.Questionnaires);
  let reminded = 0;
  for (const { bundle, programmeId, date } of bundles.flatMap((each) => startsOf(each, now))) {
    for await (const granted of startedOn(programmeId, date)) {
      if (remainingMs() < reserveMs) return { reminded, isComplete: false };
      reminded += await remindUser(reach, bundle, granted);
    }
  }
  return { reminded, isComplete: true };
}

/** Only who started on one of these days can have a reminder today, wherever on earth they are: nobody else is looked at. */
function startsOf(bundle: Bundle, now: Date): { bundle: Bundle; programmeId: string; date: string }[] {
  const { programmeId } = bundle;
  if (programmeId === null) return [];
  const utc = now.toISOString().slice(0, 10);
  // A start's date in UTC and today's where the patient is may each be a day off.
  const dates = remindingDays(bundle).flatMap((day) => [-2, -1, 0, 1, 2].map((off) => addDays(utc, off - day)));
  return [...new Set(dates)].map((date) => ({ bundle, programmeId, date }));
}

async function remindUser(reach: Reminding, bundle: Bundle, { userId, ...entitlement }: Granted): Promise<number> {
  const { client, tables, now } = reach;
  const place = await readPlace(client, tables.Users, userId);
  const zone = place.timezone ?? defaultZone;
  const { date, hour } = localTime(now, zone);
  if (hour < remindFromHour) return 0;
  let reminded = 0;
  for (const occurrence of occurrencesOf([bundle], [entitlement], zone)) {
    const kind = reminderOn(occurrence, date);
    if (kind && (await remindOnce(reach, { userId, occurrence, kind, place }))) reminded += 1;
  }
  return reminded;
}

type Due = {
  readonly userId: string;
  readonly occurrence: Occurrence;
  readonly kind: ReminderKind;
  readonly place: CallerPlace;
};

async function remindOnce(
  { client, tables, now }: Reminding,
  { userId, occurrence, kind, place }: Due,
): Promise<boolean> {
  const table = tables.QuestionnaireResponses;
  const { occurrenceId, bundle } = occurrence;
  const reminder = { userId, occurrenceId, kind };
  const isPosted = () => isReminded(client, table, reminder);
  if (await isPosted()) return false;
  const claims = await readClaims(client, table, userId);
  if (bundle.questionnaireIds.every((id) => claimOf(claims, occurrenceId, id)?.status === 'completed')) return false;
  const message = { userId, authorId: 'questionnaires', ...reminderOf(occurrence, kind, place.locale) };
  try {
    return await whileOpen({ table: tables.Accounts, userId }, () =>
      postNotice(client, tables.AgentBoardMessages, {
        ...message,
        now,
        once: putReminder(table, reminder, now),
        isPosted,
      }),
    );
  } catch (error) {
    if (error instanceof Failure && error.error === AccountClosed) return false;
    throw error;
  }
}
