import { table } from './tables.ts';

/**
 * What the members of staff may do: the row of a member decides, and the user pool's groups follow it. It stands here, since
 * medinfo's authorizer reads it; the domain `staff` writes it. Under `staff` each member by the `userId`; under `roster` one row,
 * whose `admins` are those who are active and hold the role.
 */
export const StaffAccounts = table('StaffAccounts', { partitionKey: 'kind', sortKey: 'userId' });

export function staffKey(userId: string): { kind: string; userId: string } {
  return { kind: 'staff', userId };
}

export const rosterKey = { kind: 'roster', userId: 'admins' } as const;

/** What the authorizer needs of the row. */
export type StaffStanding = {
  readonly roles: readonly string[];
  readonly status: 'invited' | 'active' | 'disabled';
  /** Seconds since 1970: tokens of sign-ins until then count no more. */
  readonly endedAt: number | null;
};

/**
 * The roles by which a token is judged; null where it counts no more. Whoever has no row (an integration, or somebody whom the
 * pool got by other means than `npm run create-user`) has the roles of the token.
 */
export function rolesByRow(
  row: StaffStanding | null,
  token: { readonly groups: readonly string[]; readonly signedInAt: number | null },
): readonly string[] | null {
  if (!row) return token.groups;
  if (row.status !== 'active' && row.status !== 'invited') return null;
  if (row.endedAt !== null && !(token.signedInAt !== null && token.signedInAt > row.endedAt)) return null;
  return row.roles;
}
