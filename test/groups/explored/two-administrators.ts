import assert from 'node:assert/strict';
import type { Row, Scenario } from '../../../lib/explore/scenario.ts';
import { admin, otherAdmin, patient } from '../../explorer/people.ts';
import { actionsIn, groupInvariants, made, member, tagged, withGroup } from './groups.ts';

/** Two administrators change one group, and one deletes it while the other adds a member. */

const groupIn = ({ rows }: { rows: (table: string) => Row[] }) => rows('Groups').find(({ kind }) => kind === 'group');
const change = (name: string) => ({ name, description: `as ${name}` });

export const twoAdministrators: Scenario = {
  name: 'two-administrators',
  domain: 'groups',
  says: 'Two administrators change the same group, and one of them deletes it while the other adds a member.',
  setUp: withGroup,
  clients: {
    'an administrator': {
      as: admin,
      does: async ({ insist }) => {
        await insist('replaceGroup', tagged(1, change('one')));
        await insist('deleteGroup', tagged(2));
      },
    },
    'another administrator': {
      as: otherAdmin,
      does: async ({ insist }) => {
        await insist('replaceGroup', tagged(1, change('other')));
        await insist('putGroupMember', member(patient.userId));
      },
    },
  },
  exhaustive: { faults: 0, most: 20_000 },
  invariants: {
    ...groupInvariants,
    'one revision follows each, and each has its audit event': (end) => {
      const changes = end.changes('Groups').filter(({ after }) => after?.kind === 'group');
      const revisions = changes.map(({ after }) => after?.revision);
      assert.deepEqual(
        revisions,
        revisions.map((_, index) => index + 1),
      );
      assert.equal(actionsIn(end, 'group.replaced'), revisions.length - 1);
    },
    'of two changes of one revision one is made, and what was answered as made is there': ({ calls, changes }) => {
      const names = changes('Groups').flatMap(({ before, after }) => (before && after?.name ? [after.name] : []));
      const replaced = calls.filter(({ operation }) => operation === 'replaceGroup');
      assert.ok(names.length <= 1);
      for (const { request, answer } of replaced) {
        const { name } = request.body as Row;
        if (answer.status === 200) assert.deepEqual(names, [name]);
        else assert.ok([0, 404, 412, 502, 503, 504].includes(answer.status), String(answer.status));
        // Refused: another change or the same one was first.
        if (answer.status === 412) assert.equal(names.length, 1);
      }
    },
    'a deletion that was answered deletes, and one that was refused has its reason': (end) => {
      const isDeleted = groupIn(end) === undefined;
      const deletions = end.calls.filter(({ operation }) => operation === 'deleteGroup');
      for (const { answer } of deletions) {
        if (answer.status === 200) assert.ok(isDeleted);
        if (answer.status === 409) assert.equal(end.changes('GroupMembers').length, 1);
        if (answer.status === 404) assert.ok(isDeleted);
      }
      assert.equal(actionsIn(end, 'group.deleted'), isDeleted ? 1 : 0);
    },
    'who was answered as a member is in the group': (end) => {
      const put = end.calls.filter(({ operation }) => operation === 'putGroupMember');
      const isMember = end.rows('GroupMembers').some(({ groupId }) => groupId === made.groupId);
      for (const { answer } of put) {
        if (answer.status === 200) assert.ok(isMember);
        if (answer.status === 404) assert.equal(groupIn(end), undefined);
      }
    },
  },
};
