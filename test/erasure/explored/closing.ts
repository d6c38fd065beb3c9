import assert from 'node:assert/strict';
import { isAnswered } from '../../../lib/explore/insisting.ts';
import type { End, Invariant, Row, Scenario, SetUp } from '../../../lib/explore/scenario.ts';
import { admin, patient } from '../../explorer/people.ts';
import {
  accountInvariants,
  agreeing,
  aUser,
  decisionAbout,
  evidenceAt,
  isTombstone,
  lastOf,
  phone,
  renewing,
  stateIn,
  userId,
} from './accounts.ts';

/** The end of the grace: the account is taken back, or closed for good and erased. */

/** A token is accepted for sixteen minutes after sign-in is closed; the check runs a day later. */
export const untilErased = ['eraseAccounts', 'eraseAccounts', 'eraseAccounts', 'checkErasures'];
let requestedAt = '';

type SetUpStep = (setUp: SetUp) => Promise<void>;

/** An account whose grace ends within the next calls. @param before what the user does first */
export async function inTheLastMoment(setUp: SetUp, before?: SetUpStep): Promise<void> {
  await aUser(setUp);
  await before?.(setUp);
  const { status, body } = await setUp.call(patient, 'requestErasure');
  assert.equal(status, 200);
  requestedAt = String(body.requestedAt);
  await setUp.run('eraseAccounts');
  const { body: state } = await setUp.call(patient, 'readOwnErasure');
  setUp.pass(Date.parse(String(state.restorableUntil)) - setUp.now() - 3);
}

/** One that is due to be erased. */
export async function afterTheClosing(setUp: SetUp, before?: SetUpStep): Promise<void> {
  await inTheLastMoment(setUp, before);
  // The run waits a minute longer than the user's grace, for the clock of S3.
  setUp.pass(120_000);
  await setUp.run('eraseAccounts');
  setUp.pass(3_600_000);
}

/** What stays of an erased user: the state of the account, and the ledger under the random id. */
const kept = [
  'Erasures',
  'Accounts',
  'EndedSessions',
  'ConsentRecords',
  'ConsentStates',
  'LegalHolds',
  'AuditEvents',
  'AccessLog',
];

function personalRows(end: End): string[] {
  const tables = new Set(
    end
      .written()
      .map(({ table }) => table)
      .concat(['Users', 'UserDirectory', 'Devices', 'DeviceTokens', 'Sessions', 'SignIns']),
  );
  return [...tables].filter(
    (table) => !kept.includes(table) && end.rows(table).some((row) => !isTombstone(row) && names(row)),
  );
}

const names = (row: Row) => JSON.stringify(row).includes(userId);

export const isErased = (end: End) => Boolean(stateIn(end)?.erasedAt);

const nothingRemains: Invariant = (end) => {
  if (!isErased(end)) return;
  assert.deepEqual(personalRows(end), []);
  assert.equal(end.outside.users[userId], undefined, 'the user is gone from the pool');
  assert.deepEqual(
    Object.values(end.outside.endpoints).map(({ token }) => token),
    [],
    'no push service has the token',
  );
  assert.deepEqual(renewing(end), []);
  const request = stateIn(end)?.requestedAt;
  assert.deepEqual(evidenceAt(end, 'erasure-begun/'), [`${request}.begun`, `${request}.erased`, `${request}.seen`]);
  assert.equal(decisionAbout(end, request), 'closing');
  assert.ok(end.rows('ConsentRecords').length > 0, 'the ledger is kept');
};

/** Nothing goes before the state says that the erasure has begun. */
const erasedOnlyOnceBegun: Invariant = (end) => {
  let hasBegun = false;
  for (const { table, before, after } of end.written()) {
    if (table === 'Erasures' && after?.kind === 'user') hasBegun = Boolean(after.begunAt);
    const isGone = before && !after && ['Users', 'Devices', 'SignIns'].includes(table);
    if (isGone) assert.ok(hasBegun, `a row of ${table} is gone`);
  }
};

const nobodyIsCalled: Invariant = ({ outside }) => assert.deepEqual(outside.notices, []);

export const common: Scenario['invariants'] = {
  ...accountInvariants,
  'of an erased user nothing remains, and the evidence says so': nothingRemains,
  'nothing is erased before the erasure has begun': erasedOnlyOnceBegun,
  'the check of the evidence finds nothing': nobodyIsCalled,
};

export const closing: Scenario = {
  name: 'erasure-closing',
  domain: 'erasure',
  says: 'In the last moment of the grace a user takes the erasure back while the run closes sign-in, and another phone agrees.',
  setUp: (setUp) => inTheLastMoment(setUp),
  clients: {
    'phone A': { as: patient, does: ({ insist }) => insist('restoreAccount') },
    'phone B': { as: patient, does: ({ insist }) => insist('agree', agreeing) },
  },
  schedules: { eraseAccounts: 2 },
  finally: untilErased,
  clockMoves: [-3000, 2000, 62_000],
  invariants: {
    ...common,
    'S3 has one decision, and row, account and data agree with it': (end) => {
      const decision = decisionAbout(end, requestedAt);
      const versions = end.outside.objects[`Evidence/erasure-decisions/${userId}/${requestedAt}.json`];
      assert.equal(versions?.length, 1);
      const last = lastOf(end, 'restoreAccount');
      if (last && isAnswered(last)) assert.equal(last.answer.status, decision === 'restored' ? 200 : 409);
      assert.equal(isErased(end), decision === 'closing', 'erased within a day');
    },
    'who took it back has everything as before': (end) => {
      if (decisionAbout(end, requestedAt) !== 'restored') return;
      assert.equal(stateIn(end)?.requestedAt, null);
      assert.equal(end.outside.users[userId]?.enabled, true);
      assert.equal(
        end.rows('Users').some((row) => row.userId === userId),
        true,
      );
      assert.equal(
        end.rows('Devices').some((row) => row.userId === userId),
        true,
      );
      assert.deepEqual(evidenceAt(end, 'erasure-begun/'), [`${requestedAt}.seen`]);
    },
    'another phone writes only in an open account': (end) => {
      const agreed = end.calls.filter(({ operation, answer }) => operation === 'agree' && answer.status === 200);
      if (agreed.length > 0) assert.equal(decisionAbout(end, requestedAt), 'restored');
      const restored = lastOf(end, 'restoreAccount');
      for (const call of end.calls.filter((each) => each.operation === 'agree' && isAnswered(each))) {
        const isLater = restored?.answer.status === 200 && call.begun >= restored.ended;
        assert.ok(isLater ? call.answer.status === 200 : [200, 403].includes(call.answer.status));
      }
    },
  },
};

const holding = { params: { userId }, body: { reason: 'LEGAL-2026-117' } };

function holdsIn({ written }: End) {
  return written().filter(({ table, before, after }) => table === 'LegalHolds' && Boolean(before) !== Boolean(after));
}

export const held: Scenario = {
  name: 'erasure-held',
  domain: 'erasure',
  says: 'An administrator places a legal hold and lifts it while the run erases, and a phone registers late.',
  setUp: (setUp) => afterTheClosing(setUp),
  clients: {
    admin: {
      as: admin,
      does: async ({ insist }) => {
        await insist('setLegalHold', holding);
        await insist('liftLegalHold', { params: { userId } });
      },
    },
    'late phone': { as: patient, does: ({ insist }) => insist('registerDevice', phone) },
  },
  schedules: { eraseAccounts: 2 },
  finally: untilErased,
  clockMoves: [-3000, 1_000_000],
  invariants: {
    ...common,
    'a hold from before the erasure keeps the data until it is lifted': (end) => {
      let isHeld = false;
      let hasBegun = false;
      let mayErase = false;
      for (const { table, before, after } of end.written()) {
        if (table === 'Erasures' && after?.kind === 'user') hasBegun = Boolean(after.begunAt);
        if (table === 'LegalHolds') {
          isHeld = Boolean(after);
          mayErase = hasBegun;
        }
        const isGone = before && !after && ['Users', 'Devices', 'SignIns', 'Sessions'].includes(table);
        if (isGone && isHeld) assert.ok(mayErase, `a row of ${table} is gone under a hold`);
      }
    },
    'each change of the hold has one audit event': (end) => {
      const events = end.rows('AuditEvents').filter(({ subject }) => String(subject).includes(userId));
      assert.equal(events.length, holdsIn(end).length);
    },
    'an answer says what the hold can keep': (end) => {
      for (const { operation, answer } of end.calls) {
        if (operation !== 'setLegalHold' || answer.status !== 200) continue;
        const { legalHold } = answer.body as unknown as { legalHold: Row };
        assert.equal(legalHold.reason, 'LEGAL-2026-117');
      }
      for (const { operation, answer } of end.calls) {
        if (operation === 'liftLegalHold' && answer.status === 200) assert.equal(answer.body.legalHold, null);
      }
    },
    'the erasure goes on after the hold': (end) => {
      assert.equal(end.rows('LegalHolds').length, 0);
      assert.ok(isErased(end));
    },
    'a late phone is refused': ({ calls }) => {
      for (const call of calls.filter((each) => each.client === 'late phone' && isAnswered(each))) {
        assert.equal(call.answer.status, 403);
      }
    },
  },
};
