import assert from 'node:assert/strict';
import { newCode } from '../../../functions/access-codes/rules/code.ts';
import type { Call, Scenario } from '../../../lib/explore/scenario.ts';
import { patient } from '../../explorer/people.ts';
import { type Batch, codeIn, issue, redeemed } from './codes.ts';

/** Somebody guesses codes on several phones: no more is learnt than of one guess after the other. */

let batch: Batch = { batchId: '', codes: [] };
const guess = (number: number) => ({ body: { code: newCode(Uint8Array.from({ length: 12 }, () => number)) } });
const before = 8;

/** Whether an answer says of a code whether it exists. */
function tells({ answer }: Call): boolean {
  return ![0, 502, 503, 504, 429].includes(answer.status);
}
const isWrong = (call: Call) =>
  call.operation === 'validateAccessCode' ? call.answer.body.reason === 'UNKNOWN' : call.answer.status === 404;

export const guesses: Scenario = {
  name: 'guesses',
  domain: 'access-codes',
  says: 'Three phones of one user guess access codes when two tries are left.',
  setUp: async (setUp) => {
    batch = await issue(setUp, { count: 1 });
    for (let number = 0; number < before; number += 1) {
      const { body } = await setUp.call(patient, 'validateAccessCode', guess(number));
      assert.equal(body.reason, 'UNKNOWN');
    }
  },
  clients: {
    'phone A': {
      as: patient,
      does: async ({ insist }) => {
        await insist('validateAccessCode', guess(20));
        await insist('redeemAccessCode', redeemed(batch.codes[0]));
      },
    },
    'phone B': { as: patient, does: ({ insist }) => insist('redeemAccessCode', guess(21)) },
    'phone C': { as: patient, does: ({ insist }) => insist('validateAccessCode', guess(22)) },
  },
  clockMoves: [-3000, 60_000],
  invariants: {
    'a user gets at most ten answers “wrong code” an hour': ({ calls }) => {
      assert.ok(before + calls.filter((call) => tells(call) && isWrong(call)).length <= 10);
    },
    'each answer “wrong code” is counted': ({ calls, rows }) => {
      const [tries] = rows('AccessCodeTries');
      const told = calls.filter((call) => tells(call) && isWrong(call)).length;
      assert.ok(tries?.wrongAt.length >= before + told);
    },
    'after the tenth wrong code no code is checked': ({ calls }) => {
      const wrong = calls.filter((call) => tells(call) && isWrong(call));
      if (wrong.length < 2) return;
      const tenth = Math.max(...wrong.map(({ ended }) => ended));
      for (const call of calls.filter(({ begun }) => begun > tenth)) assert.ok(!tells(call), call.operation);
    },
    'who is locked out had ten wrong codes': ({ calls, rows }) => {
      const [tries] = rows('AccessCodeTries');
      if (calls.some(({ answer }) => answer.status === 429)) assert.equal(tries?.wrongAt.length, 10);
    },
    'each client gets an answer, and a lock says until when': ({ calls, now }) => {
      for (const client of Object.keys(guesses.clients)) {
        const last = calls.filter((call) => call.client === client).at(-1);
        assert.ok(
          last && [200, 404, 429].includes(last.answer.status),
          `${last?.answer.status} ${last && codeIn(last)}`,
        );
      }
      for (const { answer } of calls.filter((call) => call.answer.status === 429)) {
        const { lockedUntil } = (answer.body.details ?? answer.body.detail ?? answer.body) as unknown as {
          lockedUntil: string;
        };
        assert.ok(Date.parse(lockedUntil) <= now + 3_700_000, JSON.stringify(answer.body));
      }
    },
  },
};
