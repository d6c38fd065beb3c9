import { randomUUID } from 'node:crypto';
import { commit } from '../../../lib/runtime/commit.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { orderedId } from '../../agent-board/rules.ts';
import { audited } from '../../audit/exports.ts';
import type { AuditOccasion } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { recall, rememberedIn } from '../../idempotency/exports.ts';
import type { Once } from '../../idempotency/rules.ts';
import type { IdempotencyKeys } from '../../idempotency/tables.ts';
import { groupCreated, groupDeleted } from '../audit-actions.ts';
import { audited as fieldsOf, type Group } from '../rules/group.ts';
import { countMembers, deleteGroup, putGroup, readGroup } from '../stores/groups.ts';
import type { Groups } from '../tables.ts';

/** What administrators do to groups: each change with its audit event, both or neither. */

type ChangedTables = { readonly AuditEvents: AuditEvents<'put'> };

/** @throws a Failure `UNAVAILABLE` where contention outlasts the attempts; `IDEMPOTENCY_KEY_REUSED` */
export async function createGroup(
  tables: ChangedTables & {
    readonly Groups: Groups<'put'>;
    readonly IdempotencyKeys: IdempotencyKeys<'get' | 'put'>;
  },
  wanted: Pick<Group, 'name' | 'kind' | 'description'> & { now: Date },
  { once, ...occasion }: AuditOccasion & { once: Once | null },
): Promise<Group> {
  const { now, name, kind, description } = wanted;
  const fresh = (made: Pick<Group, 'groupId' | 'createdAt'>): Group => {
    return { ...made, name, kind, description, revision: 1, changeId: occasion.requestId };
  };
  const group = fresh({ groupId: orderedId(now.getTime(), randomUUID()), createdAt: now.toISOString() });
  const { groupId, createdAt } = group;
  return retryOnContention(async () => {
    const made = await recall(tables.IdempotencyKeys, once);
    if (made) return fresh({ groupId: made.groupId ?? '', createdAt: made.createdAt ?? '' });
    const change = { action: groupCreated, subject: `group/${groupId}`, before: null, after: fieldsOf(group) };
    const isDone = await commit([
      ...putGroup(tables.Groups, group),
      ...rememberedIn(tables.IdempotencyKeys, once, { groupId, createdAt }),
      audited(tables.AuditEvents, occasion, change),
    ]);
    return isDone ? group : contended;
  });
}

/**
 * Deletes a group that nobody is a member of, on the condition that it is still this one.
 *
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function removeGroup(
  tables: ChangedTables & { readonly Groups: Groups<'get' | 'query' | 'remove'> },
  group: Group,
  occasion: AuditOccasion,
): Promise<'deleted' | 'not-empty' | 'changed'> {
  const { groupId, revision } = group;
  return retryOnContention(async () => {
    const [current, members] = await Promise.all([
      readGroup(tables.Groups, groupId),
      countMembers(tables.Groups, groupId),
    ]);
    if (current?.revision !== revision) return 'changed';
    if (members > 0) return 'not-empty';
    const change = { action: groupDeleted, subject: `group/${groupId}`, before: fieldsOf(group), after: null };
    const isDone = await commit([...deleteGroup(tables.Groups, group), audited(tables.AuditEvents, occasion, change)]);
    return isDone ? 'deleted' : contended;
  });
}
