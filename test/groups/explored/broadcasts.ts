import assert from 'node:assert/strict';
import type { Client, End, Row, Scenario } from '../../../lib/explore/scenario.ts';
import { boardInvariants, boardOf, posting } from '../../agent-board/explored/board.ts';
import { admin, agent, otherAdmin, otherPatient, patient } from '../../explorer/people.ts';
import { served } from '../../explorer/served.ts';
import { broadcastInvariants, groupInvariants, hasMessage, member, puts, saying, third, withGroup } from './groups.ts';

/** Messages to a group whose members change. */

const consumers = ['beginGroupMessages', 'postGroupMessages'];
const says = (title: string) => ({
  as: admin,
  does: async ({ insist }: Client) => void (await insist('postGroupMessage', saying(title))),
});

/** The first call of a kind that was answered. */
const answered = ({ calls }: End, operation: string, userId?: string) =>
  calls.find(
    (call) =>
      call.operation === operation &&
      call.answer.status < 300 &&
      call.answer.status > 0 &&
      (userId === undefined || call.request.params?.userId === userId),
  );

const begun = ({ calls }: End, operation: string, userId?: string) =>
  Math.min(
    ...calls
      .filter(
        (call) => call.operation === operation && (userId === undefined || call.request.params?.userId === userId),
      )
      .map((call) => call.begun),
  );

export const broadcastBesideMembers: Scenario = {
  name: 'broadcast-beside-members',
  domain: 'groups',
  says: 'A message goes to a group while one member leaves and another one joins.',
  setUp: async (given) => {
    await withGroup(given);
    await puts(given, patient.userId, otherPatient.userId);
  },
  clients: {
    'an administrator': says('news'),
    'another administrator': {
      as: otherAdmin,
      does: async ({ insist }) => {
        await insist('removeGroupMember', member(otherPatient.userId));
        await insist('putGroupMember', member(third.userId));
      },
    },
  },
  consumers,
  clockMoves: [60_000],
  invariants: {
    ...groupInvariants,
    ...boardInvariants,
    ...served('an administrator', 'another administrator'),
    'who is a member all the time gets it': (end) => assert.ok(hasMessage(end, patient.userId, 'news')),
    'nobody who had left before the broadcast was requested gets it': (end) => {
      const left = answered(end, 'removeGroupMember');
      if (left && left.ended <= begun(end, 'postGroupMessage'))
        assert.ok(!hasMessage(end, otherPatient.userId, 'news'));
    },
    'who joins after it was accepted does not get it': (end) => {
      const accepted = answered(end, 'postGroupMessage');
      if (accepted && accepted.ended <= begun(end, 'putGroupMember')) assert.ok(!hasMessage(end, third.userId, 'news'));
    },
    'everybody who had joined before the broadcast was requested gets it': (end) => {
      const joined = answered(end, 'putGroupMember');
      if (joined && joined.ended <= begun(end, 'postGroupMessage')) assert.ok(hasMessage(end, third.userId, 'news'));
    },
    ...broadcastInvariants,
  },
};

/** Who leaves and comes back is a new member. */
export const memberComesBack: Scenario = {
  name: 'broadcast-and-comeback',
  domain: 'groups',
  says: 'A member leaves a group and comes back while two messages go to it and an agent writes to the member.',
  setUp: async (given) => {
    await withGroup(given);
    await puts(given, patient.userId);
  },
  clients: {
    'an administrator': {
      as: admin,
      does: async ({ insist }) => {
        await insist('postGroupMessage', saying('news'));
        await insist('postGroupMessage', saying('more'));
      },
    },
    'another administrator': {
      as: otherAdmin,
      does: async ({ insist }) => {
        await insist('removeGroupMember', member(patient.userId));
        await insist('putGroupMember', member(patient.userId));
      },
    },
    'an agent': { as: agent, does: ({ insist }) => insist('postMessage', posting(patient.userId, 'hello')) },
  },
  consumers,
  clockMoves: [60_000],
  invariants: {
    ...groupInvariants,
    ...boardInvariants,
    ...served('an administrator', 'another administrator', 'an agent'),
    'who was away while a message was accepted does not get it': (end) => {
      const [left, back] = [answered(end, 'removeGroupMember'), begun(end, 'putGroupMember')];
      for (const title of ['news', 'more']) {
        const calls = end.calls.filter(({ request }) => (request.body as Row | undefined)?.title === title);
        const accepted = calls.find(({ answer }) => answer.status === 202);
        const asked = Math.min(...calls.map((call) => call.begun));
        if (!left || !accepted || left.ended > asked || accepted.ended > back) continue;
        assert.ok(!hasMessage(end, patient.userId, title), title);
      }
    },
    'the board counts each message': (end) => assert.ok(boardOf(end, patient.userId)?.unreadCount >= 1),
    ...broadcastInvariants,
  },
};

/** Who stays is owed the message, whatever dies on its way: what of members who leave is open has its own scenario. */
export const broadcastToWhoStays: Scenario = {
  name: 'broadcast-to-who-stays',
  domain: 'groups',
  says: 'A message goes to a group of two while its functions die and messages come twice; another administrator looks.',
  setUp: async (given) => {
    await withGroup(given);
    await puts(given, patient.userId, otherPatient.userId);
  },
  clients: {
    'an administrator': says('news'),
    'another administrator': { as: otherAdmin, does: ({ insist }) => insist('listGroups') },
  },
  consumers,
  faults: { most: 1, only: ['dies-before', 'dies-after', 'twice'] },
  invariants: {
    ...groupInvariants,
    ...boardInvariants,
    ...served('an administrator'),
    'each member gets it': (end) => {
      for (const { userId } of [patient, otherPatient]) assert.ok(hasMessage(end, userId, 'news'), userId);
    },
    ...broadcastInvariants,
  },
};
