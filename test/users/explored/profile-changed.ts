import assert from 'node:assert/strict';
import type { Scenario } from '../../../lib/explore/scenario.ts';
import { inThePool } from '../../auth/explored/people.ts';
import { patient } from '../../explorer/people.ts';

/** Two phones change different fields of one profile, and each states another year of birth. */

const changing =
  (...bodies: readonly object[]): Scenario['clients'][string]['does'] =>
  async ({ insist }) => {
    for (const body of bodies) await insist('updateProfile', { body });
  };

export const profileChanged: Scenario = {
  name: 'profile-changed',
  domain: 'users',
  says: 'Two phones change the language and the time zone of one profile at once, and each states another year of birth.',
  setUp: async (setUp) => {
    inThePool(setUp, patient);
    assert.equal((await setUp.call(patient, 'readProfile')).status, 200);
  },
  clients: {
    'phone A': { as: patient, does: changing({ locale: 'de-DE' }, { birthYear: 1980 }) },
    'phone B': { as: patient, does: changing({ timezone: 'Europe/Berlin' }, { birthYear: 1990 }) },
  },
  exhaustive: { faults: 0, most: 20_000 },
  invariants: {
    'what was answered is in the profile, and what the other phone changed, too': ({ rows, calls }) => {
      const profile = rows('Users').find(({ userId }) => userId === patient.userId);
      for (const { request, answer } of calls.filter(({ answer }) => answer.status === 200)) {
        for (const [field, value] of Object.entries(request.body as object)) {
          assert.equal(profile?.[field], value);
          assert.equal(answer.body[field], value);
        }
      }
    },
    'the year of birth is stated once': ({ changes }) => {
      const years = changes('Users').map(({ after }) => after?.birthYear);
      assert.ok(new Set(years.filter((year) => year !== undefined)).size <= 1);
    },
  },
};
