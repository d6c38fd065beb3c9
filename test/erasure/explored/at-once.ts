import assert from 'node:assert/strict';
import type { Scenario } from '../../../lib/explore/scenario.ts';
import { patient } from '../../explorer/people.ts';
import { accountInvariants, agreeing, agreement, aUser, decisionAbout, phone, stateIn } from './accounts.ts';

/** A request for erasure beside what other phones do at the same moment. */

const common: Scenario['invariants'] = {
  ...accountInvariants,
  'a request that stands was not taken back': (end) => {
    const requestedAt = stateIn(end)?.requestedAt;
    if (requestedAt) assert.equal(decisionAbout(end, requestedAt), null);
  },
};

const aNight = {
  params: { date: '2026-02-28' },
  body: {
    zone: 'Europe/Berlin',
    slept: false,
    inBedAt: '2026-02-28T00:00:00+01:00',
    outOfBedAt: '2026-02-28T06:00:00+01:00',
    recordedAt: '2026-03-01T11:00:00.000Z',
  },
};

export const closingBesideWriters: Scenario = {
  name: 'erasure-beside-writers',
  domain: 'erasure',
  says: 'A user asks for the erasure while other phones ask for a receipt, register, write the diary and change the profile.',
  setUp: async (setUp) => {
    await aUser(setUp);
    await setUp.run('vouchForReceiptKeys');
  },
  clients: {
    'phone A': { as: patient, does: ({ insist }) => insist('requestErasure') },
    'phone B': { as: patient, does: ({ insist }) => insist('readReceipt', { params: { agreementId: agreement } }) },
    'phone C': { as: patient, does: ({ insist }) => insist('registerDevice', phone) },
    'phone D': {
      as: patient,
      does: async ({ insist }) => {
        await insist('putSleepEntry', aNight);
        await insist('updateProfile', { body: { locale: 'de-DE' } });
      },
    },
  },
  faults: { most: 1 },
  invariants: {
    ...common,
    // Writes that are refused anyway would prove nothing.
    'a write is refused only where the erasure was asked for': ({ calls }) => {
      const asked = calls.find(({ operation }) => operation === 'requestErasure');
      for (const { operation, answer, ended } of calls) {
        if (operation === 'requestErasure') continue;
        assert.ok([0, 200, 403, 502, 503, 504].includes(answer.status), `${operation} is ${answer.status}`);
        if (answer.status === 403) assert.ok(asked && asked.begun < ended, `${operation} is 403`);
      }
    },
  },
};

export const takenBackBesideARun: Scenario = {
  name: 'erasure-taken-back-beside-a-run',
  domain: 'erasure',
  says: 'A user takes the erasure back and agrees while the run looks at the request.',
  setUp: async (setUp) => {
    await aUser(setUp);
    assert.equal((await setUp.call(patient, 'requestErasure')).status, 200);
  },
  clients: {
    'phone A': { as: patient, does: ({ insist }) => insist('restoreAccount') },
    'phone B': { as: patient, does: ({ insist }) => insist('agree', agreeing) },
  },
  schedules: { eraseAccounts: 2 },
  faults: { most: 1 },
  invariants: common,
};

export const askedAndTakenBack: Scenario = {
  name: 'erasure-asked-and-taken-back',
  domain: 'erasure',
  says: 'One phone asks for the erasure at the moment at which another one takes it back.',
  setUp: aUser,
  clients: {
    'phone A': { as: patient, does: ({ insist }) => insist('requestErasure') },
    'phone B': { as: patient, does: ({ insist }) => insist('restoreAccount') },
  },
  invariants: common,
};

const { 'each request has its evidence': _open, ...ofTheStanding } = common;

/** Nobody asks again, so that nothing mends what the two have done. What of the answer is open has its own scenario. */
export const askedBesideRestoration: Scenario = {
  name: 'erasure-asked-beside-restoration',
  domain: 'erasure',
  says: 'One phone asks for the erasure while another one takes it back; no service fails, and neither phone asks again.',
  setUp: aUser,
  clients: {
    'phone A': { as: patient, does: ({ call }) => call('requestErasure') },
    'phone B': { as: patient, does: ({ call }) => call('restoreAccount') },
  },
  faults: { most: 0 },
  exhaustive: { faults: 0, most: 30_000 },
  invariants: ofTheStanding,
};
