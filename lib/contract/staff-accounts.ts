import { table } from './tables.ts';

/** The part of the row that the authorizer needs. */
export type StaffStanding = {
  readonly roles: readonly string[];
  readonly status: 'invited' | 'active' | 'disabled';
  /** Seconds since 1970: tokens of sign-ins until this time are not valid any more. */
  readonly endedAt: number | null;
};

export type StaffAccount = StaffStanding & {
  readonly userId: string;
  readonly email: string | null;
  /** Of the invitation and what follows it: BCP 47. Absent where nobody said it. */
  readonly locale?: string;
  /** Null until the invitation was accepted. */
  readonly acceptedAt: string | null;
  /** True after password and second factor were reset, until a new password is chosen. */
  readonly isReset?: boolean;
  /** Of the last invitation, renewal or reset: which change it was, and when. Absent before there was one, and in rows from before the field. */
  readonly invitation?: { readonly id: string; readonly at: string };
  /** True from a change that ends the sessions until they have ended in the pool and in the list. */
  readonly isEnding?: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Counts the changes from 1; 0 for an account that is only in the user pool and that nobody has administered. */
  readonly revision: number;
  /** New for each change. After a lost answer it shows whether this write or another writer's change succeeded. */
  readonly changeId: string;
};

/** `admins`: absent once there is none. */
export type Roster = { readonly kind: string; readonly userId: string; readonly admins?: Set<string> };

/**
 * The members of staff. The row of a member decides what the member may do. The table
 * is declared here, since the authorizer of an application for staff reads it; the domain `staff` writes it. Under `staff` each member has a row
 * by `userId`. Under `roster` there is one row; its `admins` are the active members with that role.
 */
export const StaffAccounts = table<(StaffAccount & { readonly kind: string }) | Roster>()('StaffAccounts', {
  partitionKey: 'kind',
  sortKey: 'userId',
  adjustable: ['admins', 'isEnding', 'revision'],
});

export function staffKey(userId: string): { kind: string; userId: string } {
  return { kind: 'staff', userId };
}

export const rosterKey = { kind: 'roster', userId: 'admins' } as const;

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
