import assert from 'node:assert/strict';
import type { Call, End, Scenario } from '../../../lib/explore/scenario.ts';
import { boardInvariants, meets, messagesOf, posting } from '../../agent-board/explored/board.ts';
import { deviceInvariants, phone } from '../../devices/explored/one-phone.ts';
import { agent, otherPatient, patient } from '../../explorer/people.ts';
import { served } from '../../explorer/served.ts';
import { pushesIn } from './pushes.ts';

/** A phone changes hands while messages to both of its users are on their way. */

/** A call that wrote the message surely began after that of the other was answered. */
function after({ begun }: Call, other: Call | undefined): boolean {
  return other !== undefined && begun >= other.ended;
}

function posted(end: End, userId: string): { readonly messageId: string; readonly call: Call } | null {
  const message = messagesOf(end, userId)[0];
  const call = end.calls.find(
    ({ operation, request }) => operation === 'postMessage' && request.params?.userId === userId,
  );
  return message && call ? { messageId: message.messageId, call } : null;
}

/** Who is here, in the time of the scenario: Ben's registration that was answered. */
const registration = ({ calls }: End) =>
  calls.find(({ operation, answer }) => operation === 'registerDevice' && answer.status === 200);

export const toTheOwner: Scenario = {
  name: 'push-to-the-owner',
  domain: 'push',
  says: 'A phone goes from one user to another while both get messages; each push is sent at most once, and to its owner.',
  setUp: async (given) => {
    await meets(given, patient, otherPatient);
    await given.call(patient, 'registerDevice', phone('first'));
  },
  clients: {
    "Ben's app": { as: otherPatient, does: ({ insist }) => insist('registerDevice', phone('first')) },
    'an agent': {
      as: agent,
      does: async ({ insist }) => {
        await insist('postMessage', posting(patient.userId, 'for Ann'));
        await insist('postMessage', posting(otherPatient.userId, 'for Ben'));
      },
    },
  },
  consumers: ['dispatchPushes', 'sendPush'],
  // A sender that dies after SNS took the push, or hears no answer, may send it a second time.
  faults: { only: ['throttled', 'twice', 'unheard', 'stale', 'short-page', 'clock'] },
  clockMoves: [-3000],
  invariants: {
    ...boardInvariants,
    ...deviceInvariants,
    ...served("Ben's app", 'an agent'),
    'each message reaches the phone at most once': (end) => {
      const sent = pushesIn(end).map(({ messageId, endpoint }) => `${messageId} ${endpoint}`);
      assert.deepEqual(sent, [...new Set(sent)]);
    },
    'no message that was posted after the phone changed hands reaches it for the user before': (end) => {
      const made = posted(end, patient.userId);
      if (!made || !after(made.call, registration(end))) return;
      assert.ok(!pushesIn(end).some(({ messageId }) => messageId === made.messageId));
    },
    'a message to the new user reaches the phone': (end) => {
      const made = posted(end, otherPatient.userId);
      if (!made || !after(made.call, registration(end))) return;
      assert.ok(pushesIn(end).some(({ messageId }) => messageId === made.messageId));
    },
    'each claim is settled': ({ rows }) => {
      for (const { delivery, status, badge } of rows('PushDeliveries')) {
        // The number of an icon, and no claim.
        if (badge !== undefined) continue;
        assert.ok(['sent', 'undeliverable'].includes(status), `${delivery} is ${status}`);
      }
    },
  },
};
