import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { whileOpen } from '../../../lib/runtime/accounts.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { postNotice } from '../../agent-board/exports.ts';
import { type CallerPlace, readBundles, readPlace } from '../../questionnaires/exports.ts';
import {
  type Bundle,
  isOver,
  mayRemind,
  type Occurrence,
  occurrencesOf,
  type ReminderKind,
  reminderOn,
  remindingDays,
} from '../../questionnaires/rules/bundle.ts';
import { addDays, defaultZone, localTime } from '../../questionnaires/rules/local-date.ts';
import { reminderOf, remindFromHour } from '../rules/reminder.ts';
import type { Granted, StartReader } from '../stores/entitlements.ts';
import { isReminded, putPosition, putReminder, type ReminderPosition, readPosition } from '../stores/reminders.ts';
import { claimOf, readClaims } from '../stores/response-rows.ts';

/**
 * Agent-board messages about due questionnaires: one from the day on which a window begins, and one on the day before
 * its last day.
 */

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

/** The time that a run keeps before its time-out. The next run continues. */
const reserveMs = 10_000;

/** After so many entitlements a run stores how far it has come. */
const noteEvery = 200;

export type Reminded = {
  readonly reminded: number;
  readonly isComplete: boolean;
  /** The errors of people who were skipped. The next run from the start tries them again. */
  readonly failures: readonly unknown[];
};

/**
 * Processes all users who may get a reminder today, from where the last run stopped. If a user cannot be reminded, this
 * is counted, and the other users are still reminded.
 *
 * @returns the result of the run, which is repeatable
 */
export async function remind(reach: Reminding): Promise<Reminded> {
  const { client, tables, now, startedOn, remainingMs } = reach;
  const table = tables.QuestionnaireResponses;
  const [bundles, position] = await Promise.all([
    readBundles(client, tables.Questionnaires),
    readPosition(client, table),
  ]);
  const failures: unknown[] = [];
  let [reminded, passed] = [0, 0];
  const utc = now.toISOString().slice(0, 10);
  for (const { bundle, programmeId, date } of bundles.flatMap((each) => startsOf(each, utc))) {
    const { bundleId } = bundle;
    const place = position === null ? 1 : comparedTo(position, { bundleId, date });
    if (place < 0) continue;
    let entitlementId = place === 0 ? (position?.entitlementId ?? null) : null;
    const isOutOfTime = async () => {
      if (remainingMs() >= reserveMs) return false;
      await putPosition(client, table, { bundleId, date, entitlementId });
      return true;
    };
    if (await isOutOfTime()) return { reminded, isComplete: false, failures };
    for await (const start of startedOn(programmeId, date, entitlementId)) {
      if (await isOutOfTime()) return { reminded, isComplete: false, failures };
      try {
        const current = mayRemind(bundle, start.granted, utc) ? await start.asItStands() : null;
        if (current) reminded += await remindUser(reach, bundle, current);
      } catch (error) {
        failures.push(error);
      }
      passed += 1;
      ({ entitlementId } = start.granted);
      if (passed % noteEvery === 0) await putPosition(client, table, { bundleId, date, entitlementId });
    }
  }
  if (position !== null || passed >= noteEvery) await putPosition(client, table, null);
  return { reminded, isComplete: true, failures };
}

/** Below 0 if a run at `position` has already passed these entitlements, 0 if it is in the middle of them. */
function comparedTo(
  position: ReminderPosition,
  { bundleId, date }: Pick<ReminderPosition, 'bundleId' | 'date'>,
): number {
  if (bundleId !== position.bundleId) return bundleId < position.bundleId ? -1 : 1;
  return date === position.date ? 0 : date < position.date ? -1 : 1;
}

type Starts = { readonly bundle: Bundle; readonly programmeId: string; readonly date: string };

/**
 * In the order of bundles and dates. Only users who started on one of these days can get a reminder today, in any time
 * zone. Nobody else is read.
 */
function startsOf(bundle: Bundle, utc: string): Starts[] {
  const { programmeId } = bundle;
  if (programmeId === null) return [];
  // Both the UTC date of the start and the patient's own date of today may differ by one day.
  const dates = remindingDays(bundle).flatMap((day) => [-2, -1, 0, 1, 2].map((off) => addDays(utc, off - day)));
  return [...new Set(dates)].toSorted().map((date) => ({ bundle, programmeId, date }));
}

async function remindUser(reach: Reminding, bundle: Bundle, { userId, ...entitlement }: Granted): Promise<number> {
  const { client, tables, now } = reach;
  const place = await readPlace(client, tables.Users, userId);
  const zone = place.timezone ?? defaultZone;
  const { date, hour } = localTime(now, zone);
  if (hour < remindFromHour) return 0;
  let reminded = 0;
  for (const occurrence of occurrencesOf([bundle], [entitlement], zone)) {
    if (isOver(occurrence, { date, instant: now.toISOString() })) continue;
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
