import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyLedger } from '../../../functions/ledger/jobs/verify-ledger.ts';
import { checkChain } from '../../../functions/ledger/rules.ts';
import type { End, Scenario } from '../../../lib/explore/scenario.ts';
import { publicKeysOf } from '../../../lib/runtime/sign.ts';
import { otherPatient, patient } from '../../explorer/people.ts';
import { catalogues } from '../../explorer/seeds.ts';
import { handlesNamed } from '../../tables.ts';

/** Checkpoints are written while users agree: an honest history has no finding. */

const agreementId = 'marketing';
const agreeing = { params: { versionId: `${agreementId}-1.0` } };

type Checkpoint = { number: number; records: number; chains: number; previous: string | null; root: string };

/** What is stored, by its number, and the digest of each. */
function checkpoints({ outside }: End): { stated: Checkpoint; digest: string; versions: number }[] {
  return Object.entries(outside.objects)
    .filter(([key]) => key.startsWith('Evidence/ledger/checkpoints/'))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, versions]) => {
      const jws = versions[0]?.body.toString() ?? '';
      const payload = jws.split('.')[1] ?? '';
      return {
        stated: JSON.parse(Buffer.from(payload, 'base64url').toString()) as Checkpoint,
        digest: createHash('sha256').update(jws).digest('hex'),
        versions: versions.length,
      };
    });
}

/** What `check-ledger` runs. The function itself keeps its work in files, which the explorer does not schedule. */
async function findingsOf(end: End): Promise<string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'explored-ledger-'));
  const keysOf = (name: string) =>
    publicKeysOf(end.client('kms'), [`arn:aws:kms:eu-central-1:000000000000:key/${name}`]);
  const found: string[] = [];
  try {
    await verifyLedger({
      tables: handlesNamed(end.client('dynamodb'), ['ConsentRecords', 'ConsentStates']),
      evidence: { s3: end.client('s3'), bucket: 'Evidence' },
      keys: await keysOf('LedgerKey'),
      importKeys: await keysOf('ImportKey'),
      tombstoneKeys: await keysOf('TombstoneKey'),
      environment: 'prod',
      retentionYears: 10,
      graceMs: 7 * 86_400_000,
      isHeld: async () => false,
      now: () => new Date(end.now),
      directory: join(directory, 'work'),
      segments: 1,
      found: ({ kind, says }) => void found.push(`${kind}: ${says}`),
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  return found;
}

export const checkpointBesideConsents: Scenario = {
  name: 'checkpoint-beside-consents',
  domain: 'ledger',
  says: 'Two users agree and revoke while two runs write a checkpoint; then the ledger is checked.',
  setUp: async (setUp) => {
    await catalogues(setUp);
    assert.equal((await setUp.call(otherPatient, 'agree', agreeing)).status, 200);
    await setUp.run('writeCheckpoint');
    setUp.pass(3_600_000);
  },
  clients: {
    one: {
      as: patient,
      does: async ({ insist }) => {
        await insist('agree', agreeing);
        await insist('revokeConsent', { params: { agreementId } });
      },
    },
    other: { as: otherPatient, does: ({ insist }) => insist('revokeConsent', { params: { agreementId } }) },
  },
  consumers: ['watchConsentRecords', 'watchConsentStates', 'publishConsentEvents'],
  schedules: { writeCheckpoint: 2 },
  finally: ['writeCheckpoint'],
  clockMoves: [-3000, 60_000],
  invariants: {
    'the check of the ledger finds nothing': async (end) => assert.deepEqual(await findingsOf(end), []),
    'no alarm is raised': ({ outside }) => assert.deepEqual(outside.notices, []),
    'checkpoints follow one another without a gap': (end) => {
      const all = checkpoints(end);
      for (const [index, { stated, versions }] of all.entries()) {
        assert.equal(versions, 1, 'nobody writes over a checkpoint');
        assert.equal(stated.number, index + 1);
        assert.equal(stated.previous, all[index - 1]?.digest ?? null);
      }
    },
    'the last checkpoint has every record': (end) => {
      const last = checkpoints(end).at(-1)?.stated;
      assert.equal(last?.records, end.rows('ConsentRecords').length);
      assert.equal(last?.chains, end.rows('ConsentStates').length);
    },
    'chains fit': ({ rows }) => {
      for (const [chain, records] of Map.groupBy(rows('ConsentRecords'), ({ userAgreement }) =>
        String(userAgreement),
      )) {
        const inOrder = records.toSorted((one, other) => one.sequence - other.sequence);
        assert.deepEqual(checkChain(chain, inOrder as never), []);
      }
    },
  },
};
