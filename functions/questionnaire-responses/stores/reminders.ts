import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
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

/** For the transaction of its message. */
export function putReminder(table: string, reminder: Reminder, now: Date) {
  const Item = { ...keyOf(reminder), remindedAt: now.toISOString() };
  return { Put: { TableName: table, Item, ConditionExpression: 'attribute_not_exists(part)' } };
}
