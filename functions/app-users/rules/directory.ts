/** The rows of table `UserDirectory`. Pure. */

export type Status = 'active' | 'disabled';

export type Entry = {
  readonly userId: string;
  readonly createdAt: string;
  readonly status: Status;
  /** Counts the changes, from 1. */
  readonly revision: number;
};

type Key = { readonly list: string; readonly entry: string };
/** A user in a list. */
export type Listed = Key & Pick<Entry, 'userId' | 'status'>;
export type UserDirectoryRow = Listed | (Key & Entry);

export function entryKey(userId: string): Key {
  return { list: `user#${userId}`, entry: 'user' };
}

/** Of the key of a row; null where it is one of a list. */
export function userOfKey(list: string): string | null {
  return list.startsWith('user#') ? list.slice('user#'.length) : null;
}

export function listNamed(status: Status | null): string {
  return status === null ? 'all' : `status#${status}`;
}

/** Both lists in which a user stands. */
export function listKeys({ userId, createdAt, status }: Pick<Entry, 'userId' | 'createdAt' | 'status'>) {
  return [listNamed(null), listNamed(status)].map((list) => ({ list, entry: `${createdAt}#${userId}` }));
}

/** From the instant `from` until before `to`. @returns null for a range that is empty */
export function rangeOf(
  from: string | undefined,
  to: string | undefined,
): readonly [first: string, last: string] | null {
  const first = from ?? '0';
  // An entry is longer than its time, so that one of `to` itself is left out.
  const last = to ?? '~';
  return first <= last ? [first, last] : null;
}

type DirectoryQuery = {
  readonly status?: Status | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

/** Whether a user is of the state and was made within the range: from `from` until before `to`. */
export function isWithin(user: Pick<Entry, 'createdAt' | 'status'>, { status, from, to }: DirectoryQuery): boolean {
  if (status !== undefined && user.status !== status) return false;
  return (from === undefined || user.createdAt >= from) && (to === undefined || user.createdAt < to);
}
