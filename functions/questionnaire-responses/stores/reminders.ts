import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { commit } from '../../../lib/runtime/commit.ts';
import type { ReminderKind } from '../../questionnaires/rules/bundle.ts';

/** Table `QuestionnaireResponses`: a row `reminder#…` says that a user was reminded, so that this happens once. */

type Reminder = { readonly userId: string; readonly occurrenceId: string; readonly kind: ReminderKind };

function keyOf({ userId, occurrenceId, kind }: Reminder) {
  return { userId, part: `reminder#${occurrenceId}#${kind}` };
}

export async function isReminded(client: DynamoDBDocumentClient, table: string, reminder: Reminder): Promise<boolean> {
  const found = await client.send(new GetCommand({ TableName: table, Key: keyOf(reminder), ConsistentRead: true }));
  return found.Item !== undefined;
}

/** Where the last incomplete run stopped: the bundle, the start date, and the last entitlement that it processed. */
export type ReminderPosition = {
  readonly bundleId: string;
  readonly date: string;
  /** Null: before the first entitlement. */
  readonly entitlementId: string | null;
};

/** A key that belongs to no user: no user's id contains `~`. */
const positionKey = { userId: '~reminders', part: 'position' };

/** Null if the next run begins at the start. */
export async function readPosition(client: DynamoDBDocumentClient, table: string): Promise<ReminderPosition | null> {
  const found = await client.send(new GetCommand({ TableName: table, Key: positionKey, ConsistentRead: true }));
  return (found.Item?.position as ReminderPosition | null | undefined) ?? null;
}

/**
 * If two runs are under way, the last write counts. A user is still reminded only once, even if both runs process the
 * user.
 */
export async function putPosition(
  client: DynamoDBDocumentClient,
  table: string,
  position: ReminderPosition | null,
): Promise<void> {
  await commit(client, [{ Put: { TableName: table, Item: { ...positionKey, position } } }]);
}

/** The write for the transaction of the message. */
export function putReminder(table: string, reminder: Reminder, now: Date) {
  const Item = { ...keyOf(reminder), remindedAt: now.toISOString() };
  return { Put: { TableName: table, Item, ConditionExpression: 'attribute_not_exists(part)' } };
}
