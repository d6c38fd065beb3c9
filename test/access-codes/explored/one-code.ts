import assert from 'node:assert/strict';
import type { Scenario } from '../../../lib/explore/scenario.ts';
import { otherPatient, patient } from '../../explorer/people.ts';
import { type Batch, codeIn, eachAnswerIsWritten, issue, redeemed, rowsAgree } from './codes.ts';

/** Two users redeem one code at the same time. */

let batch: Batch = { batchId: '', codes: [] };
const userOf = (client: string) => (client === 'one' || client === 'phone B of one' ? 'patient-1' : 'patient-2');

export const oneCode: Scenario = {
  name: 'one-code',
  domain: 'access-codes',
  says: 'Two users redeem one access code, one of them on two phones.',
  setUp: async (setUp) => {
    batch = await issue(setUp, { count: 1 });
  },
  clients: {
    one: { as: patient, does: ({ insist }) => insist('redeemAccessCode', redeemed(batch.codes[0])) },
    'phone B of one': {
      as: patient,
      does: async ({ insist }) => {
        await insist('redeemAccessCode', redeemed(batch.codes[0]));
        await insist('listEntitlements');
      },
    },
    other: { as: otherPatient, does: ({ insist }) => insist('redeemAccessCode', redeemed(batch.codes[0])) },
  },
  clockMoves: [-3000, 90_000],
  exhaustive: { faults: 0, most: 30_000 },
  invariants: {
    'codes, counts and entitlements agree': rowsAgree,
    'one user has one entitlement': ({ rows }) => assert.equal(rows('Entitlements').length, 1),
    'what was answered is written': (end) => eachAnswerIsWritten(end, batch, userOf),
    'the winner gets 200 and the other 409': (end) => {
      const [{ userId } = { userId: '' }] = end.rows('Entitlements');
      for (const client of Object.keys(oneCode.clients)) {
        const last = end.calls.filter((call) => call.client === client && call.operation === 'redeemAccessCode').at(-1);
        assert.ok(last);
        const isWinner = userOf(client) === userId;
        assert.equal(last.answer.status, isWinner ? 200 : 409);
        if (!isWinner) assert.equal(codeIn(last), 'ACCESS_CODE_REDEEMED');
      }
    },
    'who has redeemed it sees it': (end) => {
      for (const { request, answer, begun, operation } of end.calls) {
        if (operation !== 'listEntitlements' || answer.status !== 200) continue;
        const isDone = end.calls.some(
          (call) =>
            userOf(call.client) === 'patient-1' &&
            call.answer.status === 200 &&
            call.request.body &&
            call.ended <= begun,
        );
        assert.equal(request.body, undefined);
        if (isDone) assert.equal((answer.body as unknown as { items: unknown[] }).items.length, 1);
      }
    },
  },
};
