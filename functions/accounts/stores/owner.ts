import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Application } from '../../../lib/contract/register.ts';
import { type StaffStanding, staffKey } from '../../../lib/contract/staff-accounts.ts';
import { readStaffName } from '../../crm-users/exports.ts';
import { readProfile } from '../../users/exports.ts';
import type { Owner } from '../rules/password.ts';

type Of = { readonly application: Application; readonly userId: string };
type Tables = { readonly Users: string; readonly StaffAccounts: string; readonly Staff: string };

/** Whose password it is: what may not be in it. Patients state no name. Strongly consistent. */
export async function readOwner(client: DynamoDBDocumentClient, tables: Tables, { application, userId }: Of) {
  const profile = await readProfile(client, tables.Users, userId);
  if (application === 'sleepcare') return { email: profile?.email ?? null, name: null } satisfies Owner;
  // A member of staff has a profile only from the first look at it on.
  const email = profile?.email ?? (await readMember(client, tables.StaffAccounts, userId))?.email ?? null;
  return { email, name: await readStaffName(client, tables.Staff, userId) } satisfies Owner;
}

/** The row of a member of staff; null where there is none. Strongly consistent. */
export async function readMember(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
): Promise<(StaffStanding & { readonly email: string | null }) | null> {
  const { Item } = await client.send(new GetCommand({ TableName: table, Key: staffKey(userId), ConsistentRead: true }));
  return (Item as (StaffStanding & { email: string | null }) | undefined) ?? null;
}
