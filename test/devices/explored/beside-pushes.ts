import assert from 'node:assert/strict';
import type { Scenario } from '../../../lib/explore/scenario.ts';
import { meets, posting } from '../../agent-board/explored/board.ts';
import { agent, patient } from '../../explorer/people.ts';
import { served } from '../../explorer/served.ts';
import { phone, registers } from './one-phone.ts';

/** SNS tells a sender that an endpoint is gone, while the phone registers again. */

export const phoneGivenUpBesidePushes: Scenario = {
  name: 'phone-given-up-beside-pushes',
  domain: 'devices',
  says: 'A phone is given up and registered again while a message to its user is on its way.',
  setUp: async (given) => {
    await meets(given, patient);
    await given.call(patient, 'registerDevice', phone('first'));
    await given.call(patient, 'registerDevice', phone('tablet', 'tablet'));
  },
  clients: {
    "Ann's app": {
      as: patient,
      does: async (client) => {
        await client.insist('unregisterDevice', { params: { deviceId: 'phone' } });
        await registers('first')(client);
      },
    },
    'an agent': { as: agent, does: ({ insist }) => insist('postMessage', posting(patient.userId, 'for Ann')) },
  },
  consumers: ['dispatchPushes', 'sendPush'],
  invariants: {
    ...served("Ann's app", 'an agent'),
    'the phone that was registered again is active': ({ rows }) => {
      const states = rows('Devices').map(({ deviceId, status }) => `${deviceId} ${status}`);
      assert.deepEqual(states.toSorted(), ['phone active', 'tablet active']);
    },
  },
};
