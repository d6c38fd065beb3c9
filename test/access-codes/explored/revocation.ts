import assert from 'node:assert/strict';
import { isAnswered } from '../../../lib/explore/insisting.ts';
import type { Call, End, Row, Scenario } from '../../../lib/explore/scenario.ts';
import { drawnClients, type Operation } from '../../explorer/drawn.ts';
import { admin, otherAdmin, otherPatient, patient } from '../../explorer/people.ts';
import { type Batch, codeIn, eachAnswerIsWritten, issue, redeemed, rowsAgree } from './codes.ts';

/** Codes are redeemed while staff revoke their batch, or one of them. */

let batch: Batch = { batchId: '', codes: [] };
const userOf = (client: string) => (client === 'one' ? 'patient-1' : 'patient-2');
const isRedemption = ({ operation }: Call) => operation === 'redeemAccessCode';

/** After the batch was answered as revoked: whoever begins later redeems nothing. */
function nothingIsRedeemedLater({ calls }: End): void {
  const told = calls.filter(({ operation, answer }) => operation === 'revokeAccessCodeBatch' && answer.status === 200);
  const firstEnd = Math.min(...told.map(({ ended }) => ended));
  for (const call of calls.filter(isRedemption)) {
    const isDone = call.answer.status === 200;
    if (!isDone || call.begun < firstEnd) continue;
    // Only a repetition of what was redeemed before gets its entitlement.
    const before = calls.some((each) => isRedemption(each) && each.client === call.client && each.begun < firstEnd);
    assert.ok(before, `${call.client} redeemed a code of a revoked batch`);
  }
}

function auditOf({ rows }: End, subject: string) {
  return rows('AuditEvents').filter((event) => event.subject === subject);
}

/** What the history and the groups' marks know, the earliest first. */
function timesOfEnd(end: End, { accessCodeId }: Row, ...groups: (Row | undefined)[]): string[] {
  const alone = auditOf(end, `access-code/${accessCodeId}`).map(({ after }) => after.entitlementEndedAt);
  return [...alone, ...groups.map((group) => group?.entitlementsEndedAt)].filter(Boolean).sort();
}

function eachChangeIsAudited(end: End, { accessCodeId, revokedAt }: Row): void {
  const [whole] = end.rows('AccessCodeBatches').filter(({ batchId }) => batchId === '~batches');
  const ends = end.changes('Entitlements').filter(({ before, after }) => {
    const isEnd = before && after?.accessCodeId === accessCodeId && after?.endedAt !== before.endedAt;
    return isEnd && after?.endedAt !== whole?.entitlementsEndedAt;
  });
  assert.equal(auditOf(end, `access-code/${accessCodeId}`).length, (revokedAt ? 1 : 0) + ends.length);
}

function reasonOfRefusal(call: Call, { rows }: End): void {
  const { code } = call.request.body as { code: string };
  const id = batch.codes.find((each) => each.code === code)?.accessCodeId;
  const row = rows('AccessCodes').find(({ accessCodeId }) => accessCodeId === id);
  const [whole] = rows('AccessCodeBatches').filter(({ batchId }) => batchId === '~batches');
  assert.equal(codeIn(call), 'ACCESS_CODE_REVOKED');
  assert.ok(row?.revokedAt || whole?.revokedAt, 'it was revoked');
}

export const revokedBatch: Scenario = {
  name: 'revoked-batch',
  domain: 'access-codes',
  says: 'Two users redeem codes while an administrator revokes their batch and ends what they unlocked.',
  setUp: async (setUp) => {
    batch = await issue(setUp);
  },
  clients: {
    one: { as: patient, does: ({ insist }) => insist('redeemAccessCode', redeemed(batch.codes[0])) },
    other: { as: otherPatient, does: ({ insist }) => insist('redeemAccessCode', redeemed(batch.codes[1])) },
    admin: {
      as: admin,
      does: ({ insist }) =>
        insist('revokeAccessCodeBatch', {
          params: { batchId: batch.batchId },
          body: { endEntitlements: true },
        }),
    },
    'other admin': {
      as: otherAdmin,
      does: ({ insist }) => insist('revokeAccessCodeBatch', { params: { batchId: batch.batchId } }),
    },
  },
  clockMoves: [-3000, 60_000],
  invariants: {
    'codes, counts and entitlements agree': rowsAgree,
    'what was answered is written': (end) => eachAnswerIsWritten(end, batch, userOf),
    'nothing is redeemed after the revocation was answered': nothingIsRedeemedLater,
    'what the codes unlocked is over': async (end) => {
      for (const row of end.rows('Entitlements')) assert.ok(row.endedAt, `${row.userId} still has it`);
      for (const person of [patient, otherPatient]) {
        const { body } = await end.call(person, 'listEntitlements');
        // Clocks of functions differ by the clock's jump: only an entitlement that began later than it was ended has no time.
        for (const { endsAt } of (body as unknown as { items: { endsAt: string }[] }).items) {
          assert.ok(Date.parse(endsAt) < end.now + 86_400_000);
        }
      }
    },
    'the batch and its groups are revoked at one time, and its history says so': (end) => {
      const rows = end.rows('AccessCodeBatches');
      const [whole] = rows.filter(({ batchId }) => batchId === '~batches');
      assert.ok(whole?.revokedAt && whole.entitlementsEndedAt);
      for (const group of rows.filter(({ batchId }) => batchId !== '~batches')) {
        assert.equal(group.revokedAt, whole.revokedAt);
        assert.equal(group.entitlementsEndedAt, whole.entitlementsEndedAt);
      }
      const events = auditOf(end, `access-code-batch/${batch.batchId}`).filter(({ before }) => before);
      const revocations = events.filter(({ before }) => before.revokedAt === null);
      const endings = events.filter(({ after }) => after.entitlementsEndedAt !== null);
      assert.equal(revocations.length, 1);
      assert.equal(endings.length, 1);
      assert.equal(revocations[0]?.after.revokedAt, whole.revokedAt);
      assert.equal(endings[0]?.after.entitlementsEndedAt, whole.entitlementsEndedAt);
    },
    'the answer of a revocation counts what was redeemed': (end) => {
      const count = end.rows('Entitlements').length;
      for (const call of end.calls.filter(({ operation }) => operation === 'revokeAccessCodeBatch')) {
        if (!isAnswered(call)) continue;
        assert.equal(call.answer.status, 200);
        const { status, counts } = call.answer.body as unknown as { status: string; counts: object };
        assert.deepEqual(
          { status, counts },
          {
            status: 'revoked',
            counts: { issued: 0, redeemed: count, expired: 0, revoked: 2 - count },
          },
        );
      }
    },
    'a refusal has its reason': (end) => {
      for (const call of end.calls.filter((each) => isRedemption(each) && isAnswered(each))) {
        if (call.answer.status !== 200) reasonOfRefusal(call, end);
      }
    },
  },
};

export const revokedCode: Scenario = {
  name: 'revoked-code',
  domain: 'access-codes',
  says: 'A user redeems a code while one administrator revokes it and another one its batch.',
  setUp: async (setUp) => {
    batch = await issue(setUp, { count: 1 });
  },
  clients: {
    one: {
      as: patient,
      does: async ({ insist }) => {
        await insist('redeemAccessCode', redeemed(batch.codes[0]));
        await insist('redeemAccessCode', redeemed(batch.codes[0]));
      },
    },
    admin: {
      as: admin,
      does: async ({ insist }) => {
        const params = { accessCodeId: batch.codes[0]?.accessCodeId ?? '' };
        await insist('revokeAccessCode', { params });
        await insist('revokeAccessCode', { params, body: { endEntitlements: true } });
      },
    },
    'other admin': {
      as: otherAdmin,
      does: ({ insist }) =>
        insist('revokeAccessCodeBatch', { params: { batchId: batch.batchId }, body: { endEntitlements: true } }),
    },
  },
  clockMoves: [-3000, 60_000],
  invariants: {
    'codes, counts and entitlements agree': rowsAgree,
    'what was answered is written': (end) => eachAnswerIsWritten(end, batch, userOf),
    'what it unlocked is over, or it unlocked nothing': ({ rows }) => {
      const [code] = rows('AccessCodes');
      const entitlements = rows('Entitlements');
      assert.equal(entitlements.length, code?.redeemedAt ? 1 : 0);
      for (const { endedAt } of entitlements) assert.ok(endedAt);
    },
    'it was ended at the earliest time that an answer or the history knows': (end) => {
      const [entitlement] = end.rows('Entitlements');
      const [group] = end.rows('AccessCodeBatches').filter(({ batchId }) => batchId !== '~batches');
      if (!entitlement) return;
      assert.equal(entitlement.endedAt, timesOfEnd(end, entitlement, group)[0]);
    },
    'each change of the code has one audit event': (end) => {
      const [code] = end.rows('AccessCodes');
      if (code) eachChangeIsAudited(end, code);
    },
    'nothing is redeemed after a revocation was answered': (end) => {
      nothingIsRedeemedLater(end);
    },
    'an answer agrees with what is there': (end) => {
      const [code] = end.rows('AccessCodes');
      for (const call of end.calls.filter(isAnswered)) {
        const { answer, operation } = call;
        if (operation === 'redeemAccessCode' && answer.status !== 200) reasonOfRefusal(call, end);
        if (operation !== 'revokeAccessCode') continue;
        if (answer.status === 409) assert.ok(code?.redeemedAt);
        else assert.equal(answer.status, 200);
      }
    },
    'a code that was redeemed is not told to be revoked': (end) => {
      const [code] = end.rows('AccessCodes');
      for (const { answer, operation } of end.calls.filter(isAnswered)) {
        if (operation !== 'revokeAccessCode' || answer.status !== 200) continue;
        assert.equal(answer.body.status, code?.redeemedAt ? 'redeemed' : 'revoked');
      }
    },
  },
};

const redeems: Operation[] = [0, 1].map((at) => ({
  operation: 'redeemAccessCode',
  request: () => redeemed(batch.codes[at]),
}));
const revokes: Operation[] = [{}, { endEntitlements: true }].flatMap((body) => [
  { operation: 'revokeAccessCodeBatch', request: () => ({ params: { batchId: batch.batchId }, body }) },
  ...[0, 1].map((at) => ({
    operation: 'revokeAccessCode',
    request: () => ({ params: { accessCodeId: batch.codes[at]?.accessCodeId ?? '' }, body }),
  })),
]);

export const codesDrawn: Scenario = {
  name: 'codes-drawn',
  domain: 'access-codes',
  says: 'Two users redeem two codes while two administrators revoke them, one by one and all, and end what they unlocked: three to eight changes each, which the seed draws.',
  setUp: async (setUp) => {
    batch = await issue(setUp);
  },
  ...drawnClients({
    one: { as: patient, operations: redeems },
    other: { as: otherPatient, operations: redeems },
    admin: { as: admin, operations: revokes },
    'other admin': { as: otherAdmin, operations: revokes },
  }),
  clockMoves: [-3000, 60_000],
  invariants: {
    'codes, counts and entitlements agree': rowsAgree,
    'what was answered is written': (end) => eachAnswerIsWritten(end, batch, userOf),
    'nothing is redeemed after the revocation was answered': nothingIsRedeemedLater,
    'what ended is over at the time that the codes know, and stays so': (end) => {
      for (const { before, after } of end.changes('AccessCodeBatches')) {
        if (before?.entitlementsEndedAt) assert.equal(after?.entitlementsEndedAt, before.entitlementsEndedAt);
      }
      const groups = end.rows('AccessCodeBatches').filter(({ batchId }) => batchId !== '~batches');
      for (const row of end.rows('Entitlements')) assert.equal(row.endedAt, timesOfEnd(end, row, ...groups)[0]);
    },
    'each change has one audit event': (end) => {
      const [whole] = end.rows('AccessCodeBatches').filter(({ batchId }) => batchId === '~batches');
      for (const code of end.rows('AccessCodes')) eachChangeIsAudited(end, code);
      const changes = auditOf(end, `access-code-batch/${batch.batchId}`).filter(({ before }) => before);
      assert.equal(changes.filter(({ before }) => before.revokedAt === null).length, whole?.revokedAt ? 1 : 0);
      const endings = changes.filter(
        ({ before, after }) => before.entitlementsEndedAt === null && after.entitlementsEndedAt !== null,
      );
      assert.equal(endings.length, whole?.entitlementsEndedAt ? 1 : 0);
    },
  },
};
