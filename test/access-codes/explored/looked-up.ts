import assert from 'node:assert/strict';
import type { Call, End, Scenario } from '../../../lib/explore/scenario.ts';
import { admin, otherAdmin, otherPatient, patient } from '../../explorer/people.ts';
import { type Batch, codeIn, eachAnswerIsWritten, issue, redeemed, rowsAgree } from './codes.ts';

/** Others ask what a code is while somebody redeems it and its batch is revoked. */

let batch: Batch = { batchId: '', codes: [] };
const userOf = (client: string) => (client === 'one' ? 'patient-1' : 'patient-2');
const isLookUp = ({ operation }: Call) => operation === 'lookUpAccessCode';

/** What an answer says of the code's state; null of one that never came. */
function toldBy(call: Call): string | null {
  const { answer, operation } = call;
  if (operation === 'lookUpAccessCode') return answer.status === 200 ? String(answer.body.status) : null;
  if (operation === 'validateAccessCode')
    return answer.status === 200 ? String(answer.body.reason).toLowerCase() : null;
  if (operation !== 'redeemAccessCode' || answer.status !== 409) return null;
  return codeIn(call) === 'ACCESS_CODE_REVOKED' ? 'revoked' : 'redeemed';
}

const saying = ({ calls }: End, status: string) => calls.filter((call) => toldBy(call) === status);

/** Whether the code was redeemed at a time when its batch was not revoked. */
function wasRedeemedFirst({ written }: End): boolean {
  const [first] = written().filter(
    ({ table, after }) =>
      (table === 'AccessCodes' && after?.redeemedAt) || (table === 'AccessCodeBatches' && after?.revokedAt),
  );
  return first?.table === 'AccessCodes';
}

export const codeLookedUp: Scenario = {
  name: 'code-looked-up',
  domain: 'access-codes',
  says: 'Others ask what an access code is while a user redeems it and an administrator revokes its batch.',
  setUp: async (setUp) => {
    batch = await issue(setUp, { count: 1 });
  },
  clients: {
    one: { as: patient, does: ({ insist }) => insist('redeemAccessCode', redeemed(batch.codes[0])) },
    other: {
      as: otherPatient,
      does: async ({ insist }) => {
        await insist('validateAccessCode', redeemed(batch.codes[0]));
        await insist('redeemAccessCode', redeemed(batch.codes[0]));
      },
    },
    admin: { as: admin, does: ({ insist }) => insist('revokeAccessCodeBatch', { params: { batchId: batch.batchId } }) },
    'other admin': {
      as: otherAdmin,
      does: async ({ insist }) => {
        await insist('lookUpAccessCode', redeemed(batch.codes[0]));
        await insist('lookUpAccessCode', redeemed(batch.codes[0]));
      },
    },
  },
  invariants: {
    'codes, counts and entitlements agree': rowsAgree,
    'what was answered is written': (end) => eachAnswerIsWritten(end, batch, userOf),
    'no answer says "revoked" if the code was redeemed before its batch was revoked': (end) => {
      if (wasRedeemedFirst(end))
        assert.deepEqual(
          saying(end, 'revoked').map(({ client }) => client),
          [],
        );
    },
    'an answer that says "redeemed" or "revoked" is true': (end) => {
      const [code] = end.rows('AccessCodes');
      const [whole] = end.rows('AccessCodeBatches').filter(({ batchId }) => batchId === '~batches');
      if (saying(end, 'redeemed').length > 0) assert.ok(code?.redeemedAt);
      if (saying(end, 'revoked').length > 0) assert.ok(whole?.revokedAt);
    },
    'after a redemption was answered, every look-up says "redeemed"': (end) => {
      const done = end.calls.filter(
        ({ operation, answer }) => operation === 'redeemAccessCode' && answer.status === 200,
      );
      const firstEnd = Math.min(...done.map(({ ended }) => ended));
      for (const call of end.calls.filter((each) => isLookUp(each) && each.begun >= firstEnd)) {
        assert.ok([null, 'redeemed'].includes(toldBy(call)));
      }
    },
  },
};
