import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Erased, isErased, knownZone, type User } from '../../users/rules.ts';

/**
 * A person's time zone and language, from the profile. Null if the profile does not have them, or does not exist yet.
 */
export type CallerPlace = { readonly locale: string | null; readonly timezone: string | null };

export async function readPlace(client: DynamoDBDocumentClient, table: string, userId: string): Promise<CallerPlace> {
  const found = await client.send(new GetCommand({ TableName: table, Key: { userId }, ConsistentRead: true }));
  const user = found.Item as User | Erased | undefined;
  return user && !isErased(user)
    ? { locale: user.locale, timezone: knownZone(user.timezone) }
    : { locale: null, timezone: null };
}
