import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { committed } from '../../../lib/runtime/write-latest.ts';
import type { ReminderKind } from '../../questionnaires/rules/bundle.ts';

/** Table `QuestionnaireResponses`: under `reminder#…` that a user was reminded, so that it happens once. */

type Reminder = { readonly userId: string; readonly occurrenceId: string; readonly kind: ReminderKind };

function keyOf({ userId, occurrenceId, kind }: Reminder) {
  return { userId, part: `reminder#${occurrenceId}#${kind}` };
}

export async function isReminded(client: DynamoDBDocumentClient, table: string, reminder: Reminder): Promise<boolean> {
  const found = await client.send(new GetCommand({ TableName: table, Key: keyOf(reminder), ConsistentRead: true }));
  return found.Item !== undefined;
}

/** Where the last incomplete run stopped: after an entitlement among those of a bundle's programme that start on a date. */
export type ReminderPosition = {
  readonly bundleId: string;
  readonly date: string;
  /** Null: before the first of them. */
  readonly entitlementId: string | null;
};

/** Nobody's: `~` is in no user's id. */
const positionKey = { userId: '~reminders', part: 'position' };

/** Null where a run begins with the first. */
export async function readPosition(client: DynamoDBDocumentClient, table: string): Promise<ReminderPosition | null> {
  const found = await client.send(new GetCommand({ TableName: table, Key: positionKey, ConsistentRead: true }));
  return (found.Item?.position as ReminderPosition | null | undefined) ?? null;
}

/** Of two runs at once whichever writes last: what both go through is reminded once all the same. */
export async function putPosition(
  client: DynamoDBDocumentClient,
  table: string,
  position: ReminderPosition | null,
): Promise<void> {
  await committed(client, [{ Put: { TableName: table, Item: { ...positionKey, position } } }]);
}

/** For the transaction of its message. */
export function putReminder(table: string, reminder: Reminder, now: Date) {
  const Item = { ...keyOf(reminder), remindedAt: now.toISOString() };
  return { Put: { TableName: table, Item, ConditionExpression: 'attribute_not_exists(part)' } };
}
