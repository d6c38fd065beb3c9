import assert from 'node:assert/strict';
import type { Scenario } from '../../../lib/explore/scenario.ts';
import { patient } from '../../explorer/people.ts';
import { type Batch, eachAnswerIsWritten, issue, redeemed, rowsAgree } from './codes.ts';

/** Two phones of one user redeem two codes of one programme. */

let batch: Batch = { batchId: '', codes: [] };

export const twoCodes: Scenario = {
  name: 'two-codes',
  domain: 'access-codes',
  says: 'Two phones of one user redeem two access codes of one programme.',
  setUp: async (setUp) => {
    batch = await issue(setUp, { grantsDays: 10 });
  },
  clients: {
    'phone A': {
      as: patient,
      does: async ({ insist }) => {
        await insist('redeemAccessCode', redeemed(batch.codes[0]));
        await insist('redeemAccessCode', redeemed(batch.codes[1]));
      },
    },
    'phone B': { as: patient, does: ({ insist }) => insist('redeemAccessCode', redeemed(batch.codes[1])) },
  },
  // An hour: the row of tries has expired, and may be gone.
  clockMoves: [-3000, 3_700_000],
  exhaustive: { faults: 0, most: 30_000 },
  invariants: {
    'codes, counts and entitlements agree': rowsAgree,
    'what was answered is written': (end) => eachAnswerIsWritten(end, batch, () => 'patient-1'),
    'every answer is 200 in the end': ({ calls }) => {
      for (const client of ['phone A', 'phone B']) {
        assert.equal(calls.filter((call) => call.client === client).at(-1)?.answer.status, 200);
      }
    },
    'one entitlement starts when the other ends, and no day is lost': ({ rows }) => {
      const [first, second, ...more] = rows('Entitlements').toSorted((one, other) =>
        one.startsAt < other.startsAt ? -1 : 1,
      );
      assert.deepEqual(more, []);
      assert.equal(second?.startsAt, first?.endsAt);
      for (const row of [first, second]) {
        assert.equal(Date.parse(row?.endsAt) - Date.parse(row?.startsAt), 10 * 86_400_000);
      }
    },
  },
};

/** No phone has to wait until DynamoDB's copies agree. */
export const twoCodesInTurn: Scenario = {
  ...twoCodes,
  name: 'two-codes-in-turn',
  says: 'A user redeems two codes of one programme in turn and looks at them; loose reads of DynamoDB answer an earlier state.',
  clients: {
    'phone A': {
      as: patient,
      does: async ({ insist }) => {
        await insist('redeemAccessCode', redeemed(batch.codes[0]));
        await insist('redeemAccessCode', redeemed(batch.codes[1]));
      },
    },
    'phone B': { as: patient, does: ({ insist }) => insist('listEntitlements') },
  },
  faults: { only: ['stale'] },
  invariants: {
    ...twoCodes.invariants,
    'every answer is 200 in the end': ({ calls }) => {
      for (const { answer } of calls) assert.equal(answer.status, 200);
    },
  },
};
