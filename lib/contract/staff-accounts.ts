import { table } from './tables.ts';

/**
 * The members of staff. The row of a member decides what the member may do. The table
 * is declared here, since the authorizer of an application for staff reads it; the domain `staff` writes it. Under `staff` each member has a row
 * by `userId`. Under `roster` there is one row; its `admins` are the active members with that role.
 */
export const StaffAccounts = table()('StaffAccounts', {
  partitionKey: 'kind',
  sortKey: 'userId',
  adjustable: ['admins', 'isEnding', 'revision'],
});

export function staffKey(userId: string): { kind: string; userId: string } {
  return { kind: 'staff', userId };
}

export const rosterKey = { kind: 'roster', userId: 'admins' } as const;

/** The part of the row that the authorizer needs. */
export type StaffStanding = {
  readonly roles: readonly string[];
  readonly status: 'invited' | 'active' | 'disabled';
  /** Seconds since 1970: tokens of sign-ins until this time are not valid any more. */
  readonly endedAt: number | null;
};

/** By so many seconds clocks may differ. A later time is of no honest function, and would keep all staff out for good. */
const skewSeconds = 60;

/**
 * The roles that count for a token; null if the token is not valid. Somebody who is invited, or whose sign-in was reset, has none before
 * the code of the mail was entered, however the token was made. The pool's groups give nothing: whoever has no row has no role.
 */
export function rolesByRow(
  row: StaffStanding | null,
  token: { readonly signedInAt: number | null },
  now: Date,
): readonly string[] | null {
  if (!row) return [];
  if (row.status !== 'active') return null;
  const isBelieved = row.endedAt !== null && row.endedAt <= now.getTime() / 1000 + skewSeconds;
  if (isBelieved && !(token.signedInAt !== null && token.signedInAt > Number(row.endedAt))) return null;
  return row.roles;
}
