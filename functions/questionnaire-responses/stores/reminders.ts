import { revisionOf } from '../../../lib/contract/revision.ts';
import { commit, type Items } from '../../../lib/runtime/commit.ts';
import { ifRevision } from '../../../lib/runtime/conditions.ts';
import { get, put } from '../../../lib/runtime/rows.ts';
import type { PositionRow, ReminderPosition, Sent, SentRow } from '../rules/reminder.ts';
import type { QuestionnaireResponses } from '../tables.ts';

/**
 * Table `QuestionnaireResponses`: the row `reminder#sent` says of which occurrences a user was reminded lately. Each
 * reminded occurrence also has a row `reminder#<id>#start`, which the overview counts.
 */

const sentPart = 'reminder#sent';

export async function readSent(table: QuestionnaireResponses<'get'>, userId: string): Promise<SentRow> {
  return (await get<SentRow>(table, { userId, part: sentPart })) ?? { revision: 0, sent: [] };
}

/**
 * The writes for the transaction of a message. If another run has sent a message in the meantime, nothing is written.
 *
 * @param before the row from which the decision was made
 */
export function putSent(
  table: QuestionnaireResponses<'put'>,
  userId: string,
  before: SentRow,
  sent: readonly Sent[],
): Items {
  const isStill = ifRevision('part', before.revision);
  const known = new Set(before.sent.map(({ occurrenceId }) => occurrenceId));
  const added = sent.filter(({ occurrenceId }) => !known.has(occurrenceId));
  const rows = added.map(({ occurrenceId, at }) =>
    put(table, { userId, part: `reminder#${occurrenceId}#start`, remindedAt: at }),
  );
  return [put(table, { userId, part: sentPart, revision: revisionOf(before.revision) + 1, sent }, isStill), ...rows];
}

/** A key that belongs to no user: no user's id contains `~`. */
const positionKey = { userId: '~reminders', part: 'position' };

/** Null if the next run begins at the start. */
export async function readPosition(table: QuestionnaireResponses<'get'>): Promise<ReminderPosition | null> {
  const row = await get<PositionRow>(table, positionKey);
  return row?.position ?? null;
}

/**
 * If two runs are under way, the last write counts. A user is still reminded only once, even if both runs process the
 * user.
 */
export async function putPosition(
  table: QuestionnaireResponses<'put'>,
  position: ReminderPosition | null,
): Promise<void> {
  await commit([put(table, { ...positionKey, position })]);
}
