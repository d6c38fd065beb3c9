import assert from 'node:assert/strict';
import type { Scenario } from '../../../lib/explore/scenario.ts';
import { deviceInvariants, registers } from '../../devices/explored/one-phone.ts';
import { otherPatient } from '../../explorer/people.ts';
import { served } from '../../explorer/served.ts';
import { phone, userId } from './accounts.ts';
import { afterTheClosing, isErased, untilErased } from './closing.ts';

/** The phone of somebody who is erased has another user by then. */

const bothSides = 'each token and each endpoint is of exactly one device, and both sides say so';

export const erasedPhoneHasAnotherUser: Scenario = {
  name: 'erased-phone-has-another-user',
  domain: 'erasure',
  says: 'A user registers the phone of somebody whose account runs erase.',
  setUp: (setUp) => afterTheClosing(setUp),
  clients: { "Ben's app": { as: otherPatient, does: registers(phone.body.token, phone.params.deviceId) } },
  schedules: { eraseAccounts: 2 },
  finally: untilErased,
  clockMoves: [60_000],
  invariants: {
    ...served("Ben's app"),
    [bothSides]: deviceInvariants[bothSides] as NonNullable<(typeof deviceInvariants)[string]>,
    'only the new user has the phone': (end) => {
      assert.ok(isErased(end));
      const owners = end.rows('Devices').map((row) => row.userId);
      assert.deepEqual(owners, [otherPatient.userId]);
      assert.ok(!JSON.stringify(end.rows('DeviceTokens')).includes(userId));
    },
  },
};
