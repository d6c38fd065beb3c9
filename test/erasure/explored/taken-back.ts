import assert from 'node:assert/strict';
import { isAnswered } from '../../../lib/explore/insisting.ts';
import type { Scenario } from '../../../lib/explore/scenario.ts';
import { chainOf } from '../../consents/explored/two-phones.ts';
import { patient } from '../../explorer/people.ts';
import {
  accountInvariants,
  agreeing,
  agreement,
  aUser,
  chainsFit,
  consentsEnd,
  decisionAbout,
  eventsAreTold,
  lastOf,
  phone,
  renewing,
  stateIn,
  userId,
  writesAreRefusedOnlyWhenClosed,
} from './accounts.ts';

/** A user asks for the erasure of the account and takes it back, while another phone writes. */

export const takenBack: Scenario = {
  name: 'erasure-taken-back',
  domain: 'erasure',
  says: 'A user asks for the erasure of the account and takes it back, while another phone agrees and revokes.',
  setUp: aUser,
  clients: {
    'phone A': {
      as: patient,
      does: async ({ insist }) => {
        await insist('requestErasure');
        await insist('restoreAccount');
      },
    },
    'phone B': {
      as: patient,
      does: async ({ insist }) => {
        await insist('revokeConsent', { params: { agreementId: agreement } });
        await insist('agree', agreeing);
      },
    },
  },
  consumers: ['publishConsentEvents', 'publishConsentEndings'],
  clockMoves: [-3000, 60_000],
  invariants: {
    'the chain fits': chainsFit,
    ...accountInvariants,
    'consents end with the account': consentsEnd,
    'writes are refused where the account is closed, and only there': writesAreRefusedOnlyWhenClosed,
    'each ending and each restoration has its event': eventsAreTold,
    'what was taken back is taken back': (end) => {
      const last = lastOf(end, 'restoreAccount');
      assert.equal(last?.answer.status, 200);
      assert.equal(stateIn(end)?.requestedAt ?? null, null);
      for (const { operation, answer } of end.calls) {
        if (operation !== 'requestErasure' || answer.status !== 200) continue;
        assert.equal(decisionAbout(end, String(answer.body.requestedAt)), 'restored');
      }
    },
    'every session from before the request has ended': (end) => {
      if (!end.calls.some(({ operation, answer }) => operation === 'requestErasure' && answer.status === 200)) return;
      assert.deepEqual(renewing(end), []);
      for (const { endedAt } of end.rows('Sessions')) assert.ok(endedAt);
    },
    'what was answered as agreed is in the ledger': (end) => {
      const records = chainOf(end, userId, agreement);
      for (const call of end.calls.filter((each) => each.operation === 'agree' && isAnswered(each))) {
        if (call.answer.status !== 200) continue;
        const at = String(call.answer.body.agreedAt);
        assert.ok(records.some((record) => JSON.stringify(record).includes(at)));
      }
    },
  },
};

export const closedBesideADevice: Scenario = {
  name: 'erasure-asked-twice',
  domain: 'erasure',
  says: 'Two phones of one user ask for the erasure while a third one registers, and runs see the request.',
  setUp: aUser,
  clients: {
    'phone A': { as: patient, does: ({ insist }) => insist('requestErasure') },
    'phone B': {
      as: patient,
      does: async ({ insist }) => {
        await insist('requestErasure');
        await insist('readOwnErasure');
      },
    },
    'phone C': { as: patient, does: ({ insist }) => insist('registerDevice', phone) },
  },
  schedules: { eraseAccounts: 1 },
  finally: ['eraseAccounts'],
  clockMoves: [-3000, 60_000],
  invariants: {
    ...accountInvariants,
    'both get the same times': ({ calls }) => {
      const told = calls.filter(({ operation, answer }) => operation === 'requestErasure' && answer.status === 200);
      const times = told.map(({ answer: { body } }) => `${body.requestedAt} ${body.endedAt} ${body.restorableUntil}`);
      assert.equal(new Set(times).size <= 1, true, times.join(' / '));
    },
    'the state is what was answered, and the run has seen it': (end) => {
      const state = stateIn(end);
      const told = end.calls.filter(({ answer }) => answer.status === 200 && answer.body.status === 'requested');
      for (const { answer } of told) assert.equal(answer.body.requestedAt, state?.requestedAt);
      assert.ok(state?.settledAt && state.signedOutAt && state.witnessedAt);
      assert.equal(state.closedAt, null);
      assert.equal(decisionAbout(end, state.requestedAt), null);
    },
    'no session renews': (end) => assert.deepEqual(renewing(end), []),
  },
};
