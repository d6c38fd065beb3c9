import assert from 'node:assert/strict';
import { mostUnderWay } from '../../../functions/groups/rules/under-way.ts';
import type { Scenario } from '../../../lib/explore/scenario.ts';
import { drawnClients, type Operation } from '../../explorer/drawn.ts';
import { admin, otherAdmin, patient } from '../../explorer/people.ts';
import { actionsIn, groupInvariants, made, member, saying, tagged, withGroup } from './groups.ts';

/** Two administrators change one group, its only member and what is said to it, and delete it: what each does, the seed draws. */

/** Nothing posts the messages here: they stay under way. */
const of = (revision: number): Operation[] => [
  { operation: 'replaceGroup', request: () => tagged(revision, { name: 'Changed', description: '' }) },
  { operation: 'deleteGroup', request: () => tagged(revision) },
  { operation: 'postGroupMessage', request: () => saying(`message-${revision}`) },
];
/** The one in the middle is the measure of a schedule. */
const operations: Operation[] = [
  ...of(1),
  { operation: 'removeGroupMember', request: () => member(patient.userId) },
  { operation: 'putGroupMember', request: () => member(patient.userId) },
  ...of(2),
];

export const groupsDrawn: Scenario = {
  name: 'groups-drawn',
  domain: 'groups',
  says: 'Two administrators change a group, its member and what is said to it, and delete it: three to eight changes each, which the seed draws.',
  setUp: withGroup,
  ...drawnClients({
    'an administrator': { as: admin, operations },
    'another administrator': { as: otherAdmin, operations },
  }),
  clockMoves: [-3000],
  invariants: {
    ...groupInvariants,
    'one change at most is made of each revision, and a deletion is of the last one': (end) => {
      const writes = end.changes('Groups').filter(({ before, after }) => (after ?? before)?.kind === 'group');
      for (const { before, after } of writes) if (before && after) assert.equal(after.revision, before.revision + 1);
      const done = (operation: string) =>
        end.calls
          .filter((call) => call.operation === operation && call.answer.status === 200)
          .map(({ request }) => request.headers?.['If-Match']);
      const last = writes.findLast(({ before }) => before)?.before?.revision;
      for (const revision of done('deleteGroup')) assert.equal(revision, `"${last}"`);
      assert.equal(actionsIn(end, 'group.deleted'), end.rows('Groups').length === 0 ? 1 : 0);
    },
    'what was accepted is under way, and no more than may be': ({ rows }) => {
      const found = rows('Groups').find(({ kind }) => kind === `messages#${made.groupId}`);
      if (!found) return;
      const accepted = rows('GroupMessages').map(({ broadcastId }) => broadcastId);
      const listed = (found.messages as { broadcastId: string }[]).map(({ broadcastId }) => broadcastId);
      assert.deepEqual(listed.toSorted(), accepted.toSorted());
      assert.ok(listed.length <= mostUnderWay);
    },
  },
};
