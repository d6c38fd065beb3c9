import { createHash } from 'node:crypto';
import type { UnderWayRow } from './under-way.ts';

/** The rules of a group: people whom staff write to at once. Pure. */

export type Group = {
  readonly groupId: string;
  readonly name: string;
  readonly kind: 'patients' | 'staff';
  readonly description: string;
  readonly createdAt: string;
  /** Counts the changes of name and description, from 1. */
  readonly revision: number;
  /** The request that made it what it is. */
  readonly changeId: string;
};

/** A row has the group's own kind under another name, as `kind` is the key's. */
export type GroupRow = Omit<Group, 'kind'> & { readonly membersAre: Group['kind'] };
/** `members` is how many are counted in the row. */
export type GroupsRow = { readonly kind: string; readonly groupKey: string } & (
  | GroupRow
  | { readonly members: number }
  | UnderWayRow
);

/** `since` is real time, whatever the time machine says: it decides who gets a message that is sent to the group. */
export type Membership = { readonly groupId: string; readonly userId: string; readonly since: string };

export const mostMembers = 100_000;

/** Rows that a group's members are counted in, so that two memberships seldom change the same one. */
export const countRows = 16;

/** The row that counts a member: the same when they come and when they go, so that none is ever below zero. */
export function countRowOf(userId: string): number {
  return (createHash('sha256').update(userId).digest()[0] ?? 0) % countRows;
}

/** The application whose user a member of such a group has to be. */
export function applicationOf(kind: Group['kind']): 'sleepcare' | 'medinfo' {
  return kind === 'patients' ? 'sleepcare' : 'medinfo';
}

export function audited({ name, kind, description }: Group): Record<string, unknown> {
  return { name, kind, description };
}
