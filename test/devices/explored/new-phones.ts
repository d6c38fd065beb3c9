import assert from 'node:assert/strict';
import { mostDevices } from '../../../functions/devices/rules/device.ts';
import type { Scenario } from '../../../lib/explore/scenario.ts';
import { otherPatient, patient } from '../../explorer/people.ts';
import { served } from '../../explorer/served.ts';
import { deviceInvariants, phone, registers } from './one-phone.ts';

/** Devices that are new: the last ones that a user may have, and the first ones of another user. */

const { 'the answer to a registration has the token of the request': _replacesNone, ...invariants } = deviceInvariants;

export const newPhones: Scenario = {
  name: 'new-phones',
  domain: 'devices',
  says: 'Two new devices of a user who may have one more register at once, and two of a new user, one with two tokens.',
  setUp: async ({ call }) => {
    for (let number = 1; number < mostDevices; number += 1)
      await call(patient, 'registerDevice', phone(`old-${number}`, `old-${number}`));
  },
  clients: {
    "Ann's new phone": { as: patient, does: registers('new-phone', 'new-phone') },
    "Ann's new tablet": { as: patient, does: registers('new-tablet', 'new-tablet') },
    "Ben's first start": { as: otherPatient, does: registers('before') },
    // The push service has renewed the token.
    "Ben's second start": { as: otherPatient, does: registers('renewed') },
    "Ben's tablet": { as: otherPatient, does: registers('tablet', 'tablet') },
  },
  clockMoves: [-3000],
  invariants: {
    ...invariants,
    ...served("Ann's new phone", "Ann's new tablet", "Ben's second start", "Ben's tablet"),
    'nobody has more devices than may be': ({ rows }) => {
      for (const own of Map.groupBy(rows('Devices'), ({ userId }) => userId).values())
        assert.ok(own.length <= mostDevices, `${own.length} devices`);
    },
  },
};
