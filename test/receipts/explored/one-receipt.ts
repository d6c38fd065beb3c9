import assert from 'node:assert/strict';
import type { Call, End, Row, Scenario } from '../../../lib/explore/scenario.ts';
import { patient } from '../../explorer/people.ts';
import { catalogues } from '../../explorer/seeds.ts';

/** A record has one receipt, whoever asks at once. */

const agreementId = 'marketing';
const agreeing = { params: { versionId: `${agreementId}-1.0` } };
let recordId = '';

type Receipt = { receiptId: string; receipt: string; issuedAt: string; record: Row };
const receiptIn = ({ answer }: Call) => answer.body as unknown as Receipt;
const isReceipt = ({ operation, answer }: Call) => /^readReceipt/.test(operation) && answer.status === 200;

function records({ rows }: End): Row[] {
  return rows('ConsentRecords').toSorted((one, other) => one.sequence - other.sequence);
}

export const oneReceipt: Scenario = {
  name: 'one-receipt',
  domain: 'receipts',
  says: 'Two phones ask for the receipt of a consent, by both routes, while one of them revokes it.',
  setUp: async (setUp) => {
    await catalogues(setUp);
    await setUp.run('vouchForReceiptKeys');
    assert.equal((await setUp.call(patient, 'agree', agreeing)).status, 200);
    const { body } = await setUp.call(patient, 'listConsentRecords', { params: { agreementId } });
    recordId = (body as unknown as { items: Row[] }).items[0]?.recordId ?? '';
    assert.notEqual(recordId, '');
  },
  clients: {
    'phone A': { as: patient, does: ({ insist }) => insist('readReceipt', { params: { agreementId } }) },
    'phone B': {
      as: patient,
      does: ({ insist }) => insist('readReceiptOfRecord', { params: { agreementId, recordId } }),
    },
    'phone C': {
      as: patient,
      does: async ({ insist }) => {
        await insist('revokeConsent', { params: { agreementId } });
        await insist('readReceipt', { params: { agreementId } });
      },
    },
  },
  consumers: ['watchConsentReceipts', 'watchConsentRecords'],
  finally: ['vouchForReceiptKeys'],
  clockMoves: [-3000, 2000],
  invariants: {
    'each record has one receipt, and each answer is it': (end) => {
      const stored = end.rows('ConsentReceipts');
      for (const call of end.calls.filter(isReceipt)) {
        const { receiptId, receipt, issuedAt, record } = receiptIn(call);
        const own = stored.filter((row) => row.receiptId === receiptId);
        assert.equal(own.length, 1);
        assert.deepEqual({ receipt: own[0]?.receipt, issuedAt: own[0]?.issuedAt }, { receipt, issuedAt });
        assert.equal(record.recordId, receiptId);
      }
      assert.equal(new Set(stored.map(({ receiptId }) => receiptId)).size, stored.length);
    },
    'a stored receipt never changes': ({ written }) => {
      for (const { table, before } of written()) if (table === 'ConsentReceipts') assert.equal(before, null);
    },
    'the receipt is of the latest record': (end) => {
      const all = records(end);
      for (const call of end.calls.filter((each) => isReceipt(each) && each.operation === 'readReceipt')) {
        const revoked = end.calls.find(
          ({ operation, answer }) => operation === 'revokeConsent' && answer.status === 200,
        );
        const { sequence } = receiptIn(call).record as { sequence: number };
        if (revoked && call.begun >= revoked.ended) assert.equal(sequence, all.length);
        assert.ok(sequence <= all.length);
      }
    },
    'each receipt verifies': async (end) => {
      for (const { receipt } of end.rows('ConsentReceipts')) {
        const { status, body } = await end.call(patient, 'verifyReceipt', { body: { receipt } });
        assert.deepEqual(
          { status, valid: body.valid, reason: body.reason },
          { status: 200, valid: true, reason: null },
        );
      }
    },
    'everybody gets one in the end': ({ calls }) => {
      for (const client of Object.keys(oneReceipt.clients)) {
        const last = calls.filter((call) => call.client === client).at(-1);
        assert.ok(last && [200, 0, 502, 503, 504].includes(last.answer.status), `${last?.answer.status}`);
      }
    },
    'no alarm is raised': ({ outside }) => assert.deepEqual(outside.notices, []),
  },
};
