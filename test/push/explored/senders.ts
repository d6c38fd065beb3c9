import assert from 'node:assert/strict';
import type { Scenario } from '../../../lib/explore/scenario.ts';
import { phone } from '../../devices/explored/one-phone.ts';
import { agent, patient } from '../../explorer/people.ts';

/** A sender that is late: another one has its push by now. */

/** All that a push needs of a message. Two rows of one event are one push, as when the stream tells of one twice. */
const message = { userId: patient.userId, eventId: 'event', unreadCountAfter: 1, boardRevision: 1 };
const settled = ['sent', 'undeliverable'];

export const leaseTakenOver: Scenario = {
  name: 'push-lease-taken-over',
  domain: 'push',
  says: 'A push is twice in the queue, and the clock moves beyond the lease of its first sender, whom SNS refuses.',
  setUp: async ({ call }) => {
    await call(patient, 'registerDevice', phone('first'));
  },
  clients: {
    'an agent': {
      as: agent,
      does: async ({ put }) => {
        for (const messageId of ['message', 'again']) await put('AgentBoardMessages', { ...message, messageId });
      },
    },
  },
  consumers: ['dispatchPushes', 'sendPush'],
  faults: { most: 4, only: ['clock', 'refused'] },
  clockMoves: [16_000],
  invariants: {
    'what was settled stays as it is': ({ written }) => {
      for (const { table, before, after } of written())
        if (table === 'PushDeliveries' && settled.includes(before?.status)) assert.equal(after?.status, before?.status);
    },
    'the push is sent': ({ rows }) => {
      const states = rows('PushDeliveries').flatMap(({ status }) => (status === undefined ? [] : [status]));
      assert.deepEqual(states, ['sent']);
    },
  },
};
