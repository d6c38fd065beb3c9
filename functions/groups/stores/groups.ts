import { isTime } from '../../../lib/contract/instant.ts';
import { revisionOf } from '../../../lib/contract/revision.ts';
import { batchGet } from '../../../lib/runtime/batch-get.ts';
import { counting } from '../../../lib/runtime/commit.ts';
import { ifStill } from '../../../lib/runtime/conditions.ts';
import { all, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { get, put, remove, update } from '../../../lib/runtime/rows.ts';
import { countRowOf, countRows, type Group, type GroupRow } from '../rules/group.ts';
import { mostUnderWay, type UnderWay, type UnderWayRow } from '../rules/under-way.ts';
import type { Groups } from '../tables.ts';

/**
 * Table `Groups`: groups, the rows that count their members, and the row of what is being posted. These come and go with the
 * group, so that a membership needs to look at only one of them, and not at a row that all memberships share. Every
 * read is strongly consistent.
 */

export function groupKey(groupId: string) {
  return { kind: 'group', groupKey: groupId };
}

export function rowOf({ kind, ...group }: Group): GroupRow {
  return { ...group, membersAre: kind };
}

function groupOf({ membersAre, groupId, name, description, createdAt, revision, changeId }: GroupRow): Group {
  return { groupId, name, kind: membersAre, description, createdAt, revision, changeId };
}

export async function readGroup(table: Groups<'get'>, groupId: string): Promise<Group | null> {
  const row = await get<GroupRow>(table, groupKey(groupId));
  return row && groupOf(row);
}

/** In the order in which they were made. */
export async function readGroups(
  table: Groups<'query'>,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ groups: Group[]; next: string | null }> {
  const query = inPartition({ kind: 'group' }, { groupKey: all }, after);
  const { rows, next } = await queryPage<GroupRow>(table, query, limit);
  return { groups: rows.map(groupOf), next };
}

/** @param groupIds at most 100, each once */
export async function readGroupsOf(
  table: Groups<'batchGet'>,
  groupIds: readonly string[],
): Promise<ReadonlyMap<string, Group>> {
  const rows = groupIds.length === 0 ? [] : await batchGet<GroupRow>(table, groupIds.map(groupKey));
  return new Map(rows.map((row) => [row.groupId, groupOf(row)]));
}

/** Exact: each membership changes it in its own transaction. */
export async function countMembers(table: Groups<'query'>, groupId: string): Promise<number> {
  const rows = await queryAll<{ members: number }>(table, inPartition({ kind: countKind(groupId) }));
  return rows.reduce((sum, { members }) => sum + members, 0);
}

/** The items of a transaction that makes a group, without members. Its id is new, so nothing is there. */
export function putGroup(table: Groups<'put'>, group: Group) {
  return [
    put(table, { ...groupKey(group.groupId), ...rowOf(group) }),
    ...countKeys(group.groupId).map((key) => put(table, { ...key, members: 0 })),
    put(table, { ...underWayKey(group.groupId), messages: [], revision: 0 }),
  ];
}

/** The items of a transaction that deletes a group, on the condition that it is still this one and has no members. */
export function deleteGroup(table: Groups<'remove'>, { groupId, revision }: Group) {
  const isEmpty = { ConditionExpression: 'members = :none', ExpressionAttributeValues: { ':none': 0 } };
  return [
    remove(table, groupKey(groupId), ifStill('kind', revision)),
    ...countKeys(groupId).map((key) => remove(table, key, isEmpty)),
    remove(table, underWayKey(groupId)),
  ];
}

/** The item of a transaction that counts a member, on the condition that the group is there. */
export function countMember(
  table: Groups<'update'>,
  { groupId, userId }: { readonly groupId: string; readonly userId: string },
  by: 1 | -1,
) {
  const change = {
    UpdateExpression: 'ADD members :by',
    ConditionExpression: 'attribute_exists(kind)',
    ExpressionAttributeValues: { ':by': by },
  };
  return counting(update(table, countKey(groupId, countRowOf(userId)), change));
}

/** The messages to the group that were not through when the last one was accepted. */
export async function readUnderWay(table: Groups<'get'>, groupId: string): Promise<UnderWayRow | null> {
  const row = await get<UnderWayRow>(table, underWayKey(groupId));
  if (!row) return null;
  const { messages, revision } = row;
  // Others may write here what is no list, or is none of messages, or is longer than any.
  const listed = (Array.isArray(messages) ? messages : []).filter(isUnderWay).slice(0, mostUnderWay);
  const byId = new Map(listed.map(({ broadcastId, acceptedAt }) => [broadcastId, acceptedAt]));
  return {
    messages: [...byId].map(([broadcastId, acceptedAt]) => ({ broadcastId, acceptedAt })),
    revision: revisionOf(revision),
  };
}

function isUnderWay(message: Partial<UnderWay> | null): message is UnderWay {
  const { broadcastId, acceptedAt } = { ...message };
  return typeof broadcastId === 'string' && /^.{1,100}$/.test(broadcastId) && isTime(acceptedAt);
}

/** The item of a transaction that replaces them, on the condition that the row is as it was read, and so the group there. */
export function putUnderWay(
  table: Groups<'update'>,
  groupId: string,
  { revision }: UnderWayRow,
  messages: readonly UnderWay[],
) {
  const still = ifStill('kind', revision);
  return update(table, underWayKey(groupId), {
    UpdateExpression: 'SET messages = :messages, revision = :next REMOVE members',
    ...still,
    ExpressionAttributeValues: {
      ...still.ExpressionAttributeValues,
      ':messages': messages.map(({ broadcastId, acceptedAt }) => ({ broadcastId, acceptedAt })),
      ':next': revision + 1,
    },
  });
}

function underWayKey(groupId: string) {
  return { kind: `messages#${groupId}`, groupKey: 'under way' };
}

function countKind(groupId: string): string {
  return `members#${groupId}`;
}

function countKey(groupId: string, row: number) {
  return { kind: countKind(groupId), groupKey: String(row).padStart(2, '0') };
}

function countKeys(groupId: string) {
  return Array.from({ length: countRows }, (_, row) => countKey(groupId, row));
}
