import assert from 'node:assert/strict';
import type { Client, End, Row, Scenario } from '../../../lib/explore/scenario.ts';
import { admin, otherPatient, patient } from '../../explorer/people.ts';
import { catalogues } from '../../explorer/seeds.ts';
import { served } from '../../explorer/served.ts';

/** Consents and revocations of two users, about midnight, while the statistics count them. */

const agreementId = 'marketing';
const agrees = ({ insist }: Client) => insist('agree', { params: { versionId: 'marketing-1.0' } });
const revokes = ({ insist }: Client) => insist('revokeConsent', { params: { agreementId } });

type Counts = { agreements: number; revocations: number; returns: number; replaced: number };
const none = (): Counts => ({ agreements: 0, revocations: 0, returns: 0, replaced: 0 });

/** Of this agreement's one version, by day and since ever. A chain alternates, so that only the first consent is no return. */
function recount({ rows }: End): Record<string, Counts> {
  const found: Record<string, Counts> = {};
  for (const { versionId, recordedAt, action, sequence } of rows('ConsentRecords')) {
    for (const key of [`day#${recordedAt.slice(0, 10)}#${versionId}`, `total#${versionId}`]) {
      found[key] ??= none();
      const counts = found[key];
      if (action === 'revoked') counts.revocations += 1;
      else counts.agreements += 1;
      if (action === 'agreed' && sequence > 1) counts.returns += 1;
    }
  }
  return found;
}

function counted({ rows }: End): Record<string, Counts> {
  const figures = rows('ConsentStatistics').filter(({ statisticsKey }) => /^1#(day|total)#/.test(statisticsKey));
  return Object.fromEntries(
    figures.map(({ statisticsKey, agreements, revocations, returns, replaced }) => [
      statisticsKey.slice(2),
      { agreements, revocations, returns, replaced },
    ]),
  );
}

export const countedConsents: Scenario = {
  name: 'counted-consents',
  domain: 'statistics',
  says: 'Two users agree and revoke about midnight while the statistics count.',
  at: Date.parse('2026-03-01T23:59:59.900Z'),
  setUp: async (given) => {
    await catalogues(given);
  },
  clients: {
    'phone A': {
      as: patient,
      does: async (client) => {
        await agrees(client);
        await revokes(client);
        await agrees(client);
      },
    },
    'phone B': { as: patient, does: (client) => revokes(client) },
    'another user': {
      as: otherPatient,
      does: async (client) => {
        await agrees(client);
        await revokes(client);
      },
    },
  },
  consumers: ['countConsents'],
  clockMoves: [-3000, 60_000],
  invariants: {
    ...served('phone A', 'another user'),
    'the figures are those of a recount': (end) => assert.deepEqual(counted(end), recount(end)),
    'each chain is counted to its end': ({ rows }) => {
      for (const { userId, sequence } of rows('ConsentStates')) {
        const chain = rows('ConsentStatistics').find(({ statisticsKey }) => statisticsKey === `1#chain#${userId}`);
        assert.equal(chain?.sequence, sequence);
      }
    },
    'the report says how many agree': async ({ rows, call }) => {
      const { body } = await call(admin, 'readStatistics', { params: { agreementId } });
      const agreeing = rows('ConsentStates').filter(({ action }) => action === 'agreed').length;
      assert.equal((body as Row).agreeing, agreeing);
    },
  },
};
