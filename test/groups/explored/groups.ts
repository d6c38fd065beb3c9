import assert from 'node:assert/strict';
import type { End, Request, Row, Scenario, SetUp } from '../../../lib/explore/scenario.ts';
import { meets, messagesOf } from '../../agent-board/explored/board.ts';
import { admin, otherPatient, patient } from '../../explorer/people.ts';

/** A group of patients, as the scenarios make and read it. */

export const third = { ...patient, userId: 'patient-3' };

/** The set-up names the group, whose id is made by the call. */
export const made = { groupId: '' };

export async function withGroup(given: SetUp): Promise<void> {
  await meets(given, patient, otherPatient, third);
  const { body } = await given.call(admin, 'createGroup', {
    headers: { 'Idempotency-Key': 'group' },
    body: { name: 'Sleepers', kind: 'patients', description: '' },
  });
  made.groupId = String(body.groupId);
}

export const member = (userId: string): Request => ({ params: { groupId: made.groupId, userId } });

/** One after the other: calls of the set-up have no names of their own. */
export async function puts(given: SetUp, ...users: readonly string[]): Promise<void> {
  for (const userId of users) await given.call(admin, 'putGroupMember', member(userId));
}

export const saying = (title: string): Request => ({
  params: { groupId: made.groupId },
  headers: { 'Idempotency-Key': title },
  body: { purpose: 'service', title, body: 'Text' },
});

export const tagged = (revision: number, body?: Row): Request => ({
  params: { groupId: made.groupId },
  headers: { 'If-Match': `"${revision}"` },
  ...(body && { body }),
});

export const actionsIn = ({ rows }: Pick<End, 'rows'>, action: string) =>
  rows('AuditEvents').filter((event) => event.action === action).length;

export const groupInvariants: Scenario['invariants'] = {
  'a membership stands in both tables, and in the count of its group': ({ rows }) => {
    const one = rows('GroupMembers').map(({ groupId, userId, since }) => `${groupId} ${userId} ${since}`);
    const other = rows('UserGroups').map(({ groupId, userId, since }) => `${groupId} ${userId} ${since}`);
    assert.deepEqual(one.toSorted(), other.toSorted());
    const counts = rows('Groups').filter(({ kind }) => kind.startsWith('members#'));
    for (const { members } of counts) assert.ok(members >= 0);
    const counted = counts.reduce((sum, { members }) => sum + members, 0);
    assert.equal(counted, one.length);
  },
  'a group is there with all of its rows, or with none': ({ rows }) => {
    const groups = rows('Groups');
    const isThere = groups.some(({ kind }) => kind === 'group');
    assert.equal(groups.length, isThere ? 18 : 0);
    if (!isThere) assert.deepEqual(rows('GroupMembers'), []);
  },
  'each change of a membership has one audit event': (end) => {
    const changes = end.changes('GroupMembers');
    const added = changes.filter(({ before, after }) => !before && after).length;
    const removed = changes.filter(({ before, after }) => before && !after).length;
    const counted = (action: string) => actionsIn(end, action);
    assert.deepEqual([counted('group.member-added'), counted('group.member-removed')], [added, removed]);
  },
};

/** The rows of a broadcast, its messages and its deliveries agree, and nothing is left to do. */
export const broadcastInvariants: Scenario['invariants'] = {
  'each request makes one broadcast, and every answer names it': (end) => {
    const broadcasts = end.rows('GroupMessages');
    const requests = end.calls.filter(({ operation }) => operation === 'postGroupMessage');
    for (const [title, all] of Map.groupBy(requests, ({ request }) => (request.body as Row).title)) {
      const mine = broadcasts.filter((each) => each.title === title);
      assert.ok(mine.length <= 1, `${title} was accepted ${mine.length} times`);
      for (const { answer } of all)
        if (answer.status === 202) assert.equal(answer.body.broadcastId, mine[0]?.broadcastId);
    }
    assert.equal(actionsIn(end, 'group.message-sent'), broadcasts.length);
  },
  'no member gets a message twice, and each delivery has its message': ({ changes, rows }) => {
    const titles = new Map(rows('GroupMessages').map(({ broadcastId, title }) => [broadcastId, title]));
    const isOfGroup = (title: unknown) => [...titles.values()].includes(title);
    const posted = changes('AgentBoardMessages').flatMap(({ before, after }) =>
      !before && isOfGroup(after?.title) ? [`${after?.userId} ${after?.title}`] : [],
    );
    assert.deepEqual(posted, [...new Set(posted)]);
    const delivered = rows('GroupMessageDeliveries')
      .filter(({ postedAt }) => postedAt)
      .map(({ userId, broadcastId }) => `${userId} ${titles.get(broadcastId)}`);
    assert.deepEqual(posted.toSorted(), delivered.toSorted());
  },
  'each broadcast is through, and its numbers add up': ({ rows }) => {
    for (const { broadcastId } of rows('GroupMessages')) {
      const parts = rows('GroupMessageParts').filter((part) => part.broadcastId === broadcastId);
      assert.deepEqual(
        parts.map(({ part }) => part),
        ['~progress'],
      );
      const [{ isListed, open, failed, total, skipped, posted } = {} as Row] = parts;
      assert.deepEqual({ isListed, open, failed }, { isListed: true, open: 0, failed: 0 });
      assert.equal(total, posted + skipped);
    }
  },
  'who counts as posted has the message, and who counts as skipped has not': ({ rows }) => {
    for (const { broadcastId, posted, skipped } of rows('GroupMessageParts').filter(
      ({ part }) => part === '~progress',
    )) {
      const decided = rows('GroupMessageDeliveries').filter((each) => each.broadcastId === broadcastId);
      const delivered = decided.filter(({ postedAt }) => postedAt).length;
      assert.deepEqual({ posted, skipped }, { posted: delivered, skipped: decided.length - delivered });
    }
  },
};

export const hasMessage = (end: End, userId: string, title: string) =>
  messagesOf(end, userId).some((message) => message.title === title);
