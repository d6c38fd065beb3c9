import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { rolesByRow, type StaffStanding, staffKey } from '../contract/staff-accounts.ts';
import type { Claims } from './token.ts';

/**
 * The roles that count for a staff member's token: those of the member's row, read strongly consistently.
 *
 * @returns null where the token is no longer valid
 */
export async function staffRolesOf(
  client: Pick<DynamoDBDocumentClient, 'send'>,
  TableName: string | undefined,
  claims: Claims,
): Promise<readonly string[] | null> {
  const query = new GetCommand({ TableName, Key: staffKey(claims.userId), ConsistentRead: true });
  const { Item } = await client.send(query);
  return rolesByRow((Item as StaffStanding | undefined) ?? null, claims, new Date());
}
