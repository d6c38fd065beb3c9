import assert from 'node:assert/strict';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { isAnswered } from '../../../lib/explore/insisting.ts';
import type { End, Row, Scenario, SetUp } from '../../../lib/explore/scenario.ts';
import { admin, patient } from '../../explorer/people.ts';
import { agreeing, agreement, queueLeadsOn, stateIn, statesAreLogged, userId } from './accounts.ts';
import { afterTheClosing } from './closing.ts';

/** After the retention the records of an erased user are released, beside a legal hold. */

const dayMs = 86_400_000;
const params = { userId };
const holding = { params, body: { reason: 'LEGAL-2036-1' } };

const recordsOf = ({ rows }: End): Row[] =>
  rows('ConsentRecords').filter(({ userAgreement }) => String(userAgreement).startsWith(`${userId}#`));

const tombstones = ({ outside }: End) =>
  Object.entries(outside.objects).filter(([key]) => key.startsWith(`Evidence/tombstones/${userId}`));

/** @param before what the user did before the request */
async function afterTheRetention(setUp: SetUp, before?: (setUp: SetUp) => Promise<void>): Promise<void> {
  await afterTheClosing(setUp, before);
  await setUp.run('writeCheckpoint');
  await setUp.run('eraseAccounts');
  setUp.pass(3653 * dayMs);
  await setUp.run('writeCheckpoint');
  setUp.pass(3_600_000);
}

export const released: Scenario = {
  name: 'consents-released',
  domain: 'erasure',
  says: 'Two runs release the consents of an erased user while an administrator places a hold and lifts it.',
  setUp: (setUp) => afterTheRetention(setUp),
  clients: {
    admin: {
      as: admin,
      does: async ({ insist }) => {
        await insist('setLegalHold', holding);
        await insist('liftLegalHold', { params });
      },
    },
    'other admin': { as: admin, does: ({ insist }) => insist('readErasure', { params }) },
  },
  consumers: ['watchConsentRecords', 'watchConsentStates'],
  schedules: { releaseConsents: 2 },
  finally: ['releaseConsents'],
  clockMoves: [-3000],
  invariants: {
    'each state is in the log': statesAreLogged,
    'the queue has one row at most': queueLeadsOn,
    'all records have one expiry, and the tombstone explains it': (end) => {
      const state = stateIn(end);
      assert.ok(state?.releasedAt && state.pending === null, 'they are released');
      const expires = new Set(recordsOf(end).map(({ expiresAt }) => expiresAt));
      assert.deepEqual([...expires], [Math.floor(Date.parse(state.recordsExpireAt) / 1000)]);
      assert.deepEqual(
        tombstones(end).map(([, versions]) => versions.map(({ body }) => body.toString())),
        [[state.tombstone]],
      );
      assert.equal(end.rows('ConsentStates').filter((row) => row.userId === userId).length, 0);
    },
    'nothing is released under a hold': ({ written }) => {
      let isHeld = false;
      let isReleased = false;
      for (const { table, after } of written()) {
        if (table === 'LegalHolds') isHeld = Boolean(after);
        if (table === 'Erasures' && after?.kind === 'user') {
          if (after.releasedAt && !isReleased) assert.ok(!isHeld, 'released under a hold');
          isReleased = Boolean(after.releasedAt);
        }
        if (table === 'ConsentRecords') assert.ok(isReleased && after?.expiresAt, 'only an expiry is written');
      }
    },
    'a hold is refused only for released records': (end) => {
      for (const call of end.calls.filter((each) => each.operation === 'setLegalHold' && isAnswered(each))) {
        assert.ok([200, 409].includes(call.answer.status));
        if (call.answer.status === 409) assert.ok(stateIn(end)?.releasedAt);
      }
    },
    // The watch knows the tombstone. `verify-ledger` dates tombstones by the machine's clock, which is earlier here.
    'no alarm is raised': ({ outside }) => assert.deepEqual(outside.notices, []),
  },
};

/** After three of them the SDK gives a throttling to the function. */
export const releasedUnderThrottling: Scenario = {
  ...released,
  name: 'consents-released-under-throttling',
  says: 'Two runs release the consents of an erased user while DynamoDB throttles, and an administrator looks.',
  clients: { 'other admin': released.clients['other admin'] as NonNullable<Scenario['clients'][string]> },
  faults: { most: 8, only: ['throttled'] },
};

const { 'each state is in the log': _open, ...ofTheRelease } = releasedUnderThrottling.invariants;

/** Each of many writes may be the one for which DynamoDB has no time. What of the log is open has its own scenario. */
export const longChainReleased: Scenario = {
  ...releasedUnderThrottling,
  name: 'long-chain-released',
  says: 'Runs release the twelve consents of an erased user while every service throttles for a long time.',
  setUp: (setUp) =>
    afterTheRetention(setUp, async ({ call }) => {
      const params = { agreementId: agreement };
      for (let index = 0; index < 11; index += 1) {
        const { status } = await (index % 2
          ? call(patient, 'agree', agreeing)
          : call(patient, 'revokeConsent', { params }));
        assert.equal(status, 200);
      }
    }),
  schedules: { releaseConsents: 4 },
  faults: { most: 40, only: ['throttled'] },
  invariants: ofTheRelease,
};

/** A run has decided and stopped; the records' expiry is over when the next ones come, so that DynamoDB deletes under their hands. */
export const releasedLate: Scenario = {
  name: 'consents-released-late',
  domain: 'erasure',
  says: 'Two runs carry out a release that was decided eight days ago while DynamoDB deletes its records and two administrators look.',
  setUp: async (setUp) => {
    await afterTheRetention(setUp);
    const all = async (TableName: string): Promise<Row[]> =>
      (await setUp.client('dynamodb').send(new ScanCommand({ TableName, ConsistentRead: true }))).Items;
    const [records, states, before] = await Promise.all(['ConsentRecords', 'ConsentStates', 'Erasures'].map(all));
    await setUp.run('releaseConsents');
    const own = (await all('Erasures')).filter(({ kind, erasureKey }) => kind === 'user' && erasureKey === userId);
    await setUp.put('ConsentRecords', ...(records ?? []));
    await setUp.put('ConsentStates', ...(states ?? []));
    await setUp.put('Erasures', ...(before ?? []), ...own.map((row) => ({ ...row, pending: 'release' })));
    setUp.pass(8 * dayMs);
  },
  clients: {
    admin: { as: admin, does: ({ insist }) => insist('setLegalHold', holding) },
    'other admin': released.clients['other admin'] as NonNullable<Scenario['clients'][string]>,
  },
  schedules: { releaseConsents: 2 },
  finally: ['releaseConsents'],
  invariants: {
    'no record that was deleted comes back with its expiry only': (end) => {
      for (const record of recordsOf(end)) assert.ok(record.hash, JSON.stringify(record));
    },
    'the release is carried out': (end) => {
      assert.equal(stateIn(end)?.pending, null);
      assert.equal(end.rows('ConsentStates').filter((row) => row.userId === userId).length, 0);
      for (const { expiresAt } of recordsOf(end)) assert.ok(expiresAt);
    },
  },
};
