import { commit } from '../../../lib/runtime/commit.ts';
import type { Eraser } from '../../../lib/runtime/eraser.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { Groups, UserGroups } from '../tables.ts';
import { readGroup } from './groups.ts';
import { type EndedMembershipTables, endMembership, readMemberships, removeRows } from './memberships.ts';

const atOnce = 25;

type ErasedMembershipTables = EndedMembershipTables & {
  readonly Groups: Groups<'get'>;
  readonly UserGroups: UserGroups<'query'>;
};

/** Each membership of a person's, in both tables, and in the count of the group's members. */
export const eraseMemberships: Eraser<ErasedMembershipTables> = async ({ tables }, { userId }) => {
  await retryOnContention(async () => {
    let after: string | null = null;
    do {
      const { memberships, next } = await readMemberships(tables.UserGroups, userId, { limit: atOnce, after });
      for (const membership of memberships) {
        // A group with members is never deleted: where it is not there, a row is of no group's.
        const isThere = await readGroup(tables.Groups, membership.groupId);
        const items = isThere
          ? endMembership(tables, membership)
          : removeRows(tables, membership, { listed: membership });
        if (!(await commit(items))) return contended;
      }
      after = next;
    } while (after !== null);
    return;
  });
};
