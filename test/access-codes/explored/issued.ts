import assert from 'node:assert/strict';
import type { Call, Scenario } from '../../../lib/explore/scenario.ts';
import { admin, otherAdmin, patient } from '../../explorer/people.ts';
import { type Batch, redeemed, rowsAgree } from './codes.ts';

/** A batch is asked for twice with one key, and revoked as soon as somebody sees it. */

const asked = {
  body: {
    count: 2,
    kind: 'clinic',
    programmeId: 'insomnia-basic',
    grantsDays: 90,
    redeemBy: '2098-12-31T23:59:59Z',
  },
  headers: { 'Idempotency-Key': 'one-batch' },
};
const isIssue = ({ operation }: Call) => operation === 'issueAccessCodes';
const batchIn = ({ answer }: Call) => answer.body as unknown as Batch;

export const issuedOnce: Scenario = {
  name: 'issued-once',
  domain: 'access-codes',
  says: 'A batch of access codes is asked for twice with one key, while somebody revokes what the list shows.',
  clients: {
    'request A': { as: admin, does: ({ insist }) => insist('issueAccessCodes', asked) },
    'request B': { as: admin, does: ({ insist }) => insist('issueAccessCodes', asked) },
    'other admin': {
      as: otherAdmin,
      does: async ({ insist }) => {
        const { body } = await insist('listAccessCodeBatches');
        const [first] = ((body as unknown as { items?: { batchId: string }[] }).items ?? []) as { batchId: string }[];
        if (first) await insist('revokeAccessCodeBatch', { params: { batchId: first.batchId } });
      },
    },
  },
  clockMoves: [-3000, 60_000],
  invariants: {
    'codes, counts and entitlements agree': rowsAgree,
    'there is one batch, and it is audited once': ({ rows, calls }) => {
      const batches = rows('AccessCodeBatches').filter(({ batchId }) => batchId === '~batches');
      assert.ok(batches.length <= 1);
      if (calls.some((call) => isIssue(call) && call.answer.status === 201)) assert.equal(batches.length, 1);
      assert.equal(rows('AuditEvents').filter(({ before }) => before === null).length, batches.length);
    },
    'both get the same codes, and they are all': (end) => {
      const issued = end.calls.filter((call) => isIssue(call) && call.answer.status === 201).map(batchIn);
      for (const { batchId, codes } of issued) {
        assert.deepEqual({ batchId, codes }, { batchId: issued[0]?.batchId, codes: issued[0]?.codes });
        assert.deepEqual(
          codes.map(({ accessCodeId }) => accessCodeId).sort(),
          end
            .rows('AccessCodes')
            .map(({ accessCodeId }) => accessCodeId)
            .sort(),
        );
        assert.equal(codes.length, 2);
      }
    },
    'a refusal is of a revoked batch': ({ calls, rows }) => {
      const [batch] = rows('AccessCodeBatches').filter(({ batchId }) => batchId === '~batches');
      for (const call of calls.filter((each) => isIssue(each) && each.answer.status === 409)) {
        assert.ok(batch?.revokedAt, `${call.client} was refused`);
      }
    },
    'a code that was handed out is redeemed, unless it is revoked': async (end) => {
      const [issued] = end.calls.filter((call) => isIssue(call) && call.answer.status === 201).map(batchIn);
      const [batch] = end.rows('AccessCodeBatches').filter(({ batchId }) => batchId === '~batches');
      if (!issued) return;
      const { status } = await end.call(patient, 'redeemAccessCode', redeemed(issued.codes[0]));
      assert.equal(status, batch?.revokedAt ? 409 : 200);
    },
  },
};
