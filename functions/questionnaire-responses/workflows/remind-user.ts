import type { Accounts } from '../../../lib/contract/accounts.ts';
import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { whileOpen } from '../../../lib/runtime/accounts.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';
import { postNotice } from '../../agent-board/exports.ts';
import type { AgentBoardMessages } from '../../agent-board/tables.ts';
import { readLocaleAndZone } from '../../questionnaires/exports.ts';
import {
  type Bundle,
  dayMs,
  defaultZone,
  endOfRun,
  isOver,
  isReminderDay,
  localTime,
  type Moment,
  type Occurrence,
  occurrencesOf,
} from '../../questionnaires/rules.ts';
import type { Questionnaires } from '../../questionnaires/tables.ts';
import type { Users } from '../../users/tables.ts';
import { hasHadEnough, isReminderHour, reminderOf, type SentRow, sentAfter } from '../rules/reminder.ts';
import type { EntitlementReader, StartReader } from '../stores/entitlements.ts';
import { putSent, readSent } from '../stores/reminders.ts';
import { claimOf, readClaims } from '../stores/response-rows.ts';
import type { RunStore } from '../stores/window-runs.ts';
import type { QuestionnaireResponses } from '../tables.ts';

/** One message to one user, about all occurrences that are due and of which the user was not reminded yet. */

export type Reminding = {
  readonly tables: {
    readonly Questionnaires: Questionnaires<'query'>;
    readonly QuestionnaireResponses: QuestionnaireResponses<'get' | 'query' | 'put'>;
    readonly Users: Users<'get'>;
    readonly AgentBoardMessages: AgentBoardMessages<'get' | 'put'>;
    readonly Accounts: Handle<typeof Accounts, 'check'>;
  };
  readonly now: Date;
  readonly startedOn: StartReader;
  readonly entitlements: EntitlementReader;
  readonly runs: RunStore;
  readonly remainingMs: () => number;
};

export type DueReminder = {
  readonly userId: string;
  /** The start of the listed run of sleep windows by which the user was found; null: found by an entitlement. */
  readonly listed: string | null;
};

/** @returns whether a message was posted */
export async function remindUser(
  deps: Reminding,
  { userId, listed }: DueReminder,
  bundles: readonly Bundle[],
): Promise<boolean> {
  const { tables, now } = deps;
  const { timezone, locale } = await readLocaleAndZone(tables.Users, userId);
  const zone = timezone ?? defaultZone;
  const { date, hour } = localTime(now, zone);
  if (!isReminderHour(hour)) return false;
  const before = await readSent(tables.QuestionnaireResponses, userId);
  if (hasHadEnough(before.sent, date)) return false;
  const [entitlements, run] = await Promise.all([deps.entitlements(userId), deps.runs.of(userId)]);
  if (listed !== null) {
    // A new run has a row of its own. For two days nothing is dropped, since dates differ by zone.
    const end = endOfRun({ startedOn: listed }, entitlements, zone);
    const isLong = end !== null && Date.parse(end) < now.getTime() - 2 * dayMs;
    if (run?.startedOn !== listed || isLong) await deps.runs.drop({ userId, startedOn: listed });
  }
  const moment = { date, instant: now.toISOString() };
  const known = new Set(before.sent.map(({ occurrenceId }) => occurrenceId));
  const due = occurrencesOf(bundles, entitlements, zone, run).filter((each) => {
    return isReminderDay(each, date) && !isOver(each, moment) && !known.has(each.occurrenceId);
  });
  if (due.length === 0) return false;
  const claims = await readClaims(tables.QuestionnaireResponses, userId);
  const open = due.filter(({ bundle, occurrenceId }) =>
    bundle.questionnaireIds.some((id) => claimOf(claims, occurrenceId, id)?.status !== 'completed'),
  );
  return open.length > 0 && post(deps, { userId, locale, open, before, moment });
}

type Due = {
  readonly userId: string;
  readonly locale: string | null;
  readonly open: readonly Occurrence[];
  readonly before: SentRow;
  readonly moment: Moment;
};

async function post({ tables, now }: Reminding, { userId, locale, open, before, moment }: Due) {
  const table = tables.QuestionnaireResponses;
  const message = { userId, authorId: 'questionnaires', ...reminderOf(open, locale) };
  const once = putSent(table, userId, before, sentAfter(before.sent, open, moment));
  // If another run has sent anything in the meantime, the next hour decides anew.
  const isPosted = async () => (await readSent(table, userId)).revision !== before.revision;
  try {
    return await whileOpen({ table: tables.Accounts, userId }, () =>
      postNotice(tables.AgentBoardMessages, { ...message, now, once, isPosted }),
    );
  } catch (error) {
    if (error instanceof Failure && error.error === AccountClosed) return false;
    throw error;
  }
}
