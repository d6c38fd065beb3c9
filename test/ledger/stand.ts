import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { S3Client } from '@aws-sdk/client-s3';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { ConsentRecord } from '../../functions/access/consent-states.ts';
import { stateOf } from '../../functions/consents/rules/record.ts';
import { revokeTombstone } from '../../functions/ledger/jobs/revoke-tombstone.ts';
import { type ImportSigning, openManifest } from '../../functions/ledger/jobs/sign-import.ts';
import { readTrustedKeys } from '../../functions/ledger/jobs/verify-keys.ts';
import { type Verification, verifyLedger } from '../../functions/ledger/jobs/verify-ledger.ts';
import type { Finding } from '../../functions/ledger/rules/finding.ts';
import { type Publishing, publishCheckpoint } from '../../functions/ledger/workflows/publish-checkpoint.ts';
import { startDynamoDb } from '../../lib/local/dynamodb/front.ts';
import { startKms } from '../../lib/local/kms/kms.ts';
import { startS3 } from '../../lib/local/s3/s3.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import type { Line } from '../../lib/runtime/log.ts';
import { putOnce } from '../../lib/runtime/objects.ts';
import { signCompact } from '../../lib/runtime/sign.ts';
import { createTables } from '../tables.ts';

/** A ledger, its evidence and its key on this machine's own services, and the check over them. */

const region = 'eu-central-1';
const accountId = '000000000000';

function keyModel(id: string) {
  const arn = `arn:aws:kms:${region}:${accountId}:key/${id}`;
  const common = { description: '', spec: 'ECC_NIST_P256', usage: 'SIGN_VERIFY', isEnabled: true };
  return { logicalId: id, id, arn, ...common, aliases: [], policy: null };
}

const bucket = {
  logicalId: 'Evidence',
  name: 'evidence',
  arn: 'arn:aws:s3:::evidence',
  isVersioned: true,
  lock: { retention: { mode: 'COMPLIANCE', days: 1 } },
  cors: [],
  policy: [],
} as const;

export type Options = { readonly endpoint?: string };

/** @param endpoint of another DynamoDB, such as Amazon's own for one machine */
export async function openStand({ endpoint }: Options = {}) {
  await using started = new AsyncDisposableStack();
  const kept = <T extends { close: () => Promise<void> }>(service: T) => {
    started.defer(() => service.close());
    return service;
  };
  const database = endpoint ? { url: endpoint } : kept(await startDynamoDb());
  let time = Date.parse('2026-11-01T00:00:00.000Z');
  const storage: { now: number | null } = { now: null };
  const s3Service = kept(
    await startS3({ region, buckets: [bucket], now: () => storage.now ?? Math.max(Date.now(), time) }),
  );
  // Of another stand's keys the public parts are known already, by their ARNs.
  const newKey = () => keyModel(randomUUID());
  const [ledgerKey, importKey, tombstoneKey, foreignKey] = [newKey(), newKey(), newKey(), newKey()];
  const keys = [ledgerKey, importKey, tombstoneKey, foreignKey];
  const kmsService = kept(await startKms({ region, accountId, keys }));
  const place = { region, credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
  const client = documentsOf(new DynamoDBClient({ ...place, endpoint: database.url }));
  const s3 = new S3Client({ ...place, endpoint: s3Service.url });
  const kms = new KMSClient({ ...place, endpoint: kmsService.url });
  const directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  started.defer(async () => rmSync(directory, { recursive: true }));
  started.defer(async () => [client, s3, kms].forEach((one) => void one.destroy()));
  const tables = await createTables(client, ['ConsentRecords', 'ConsentStates']);
  const evidence = { s3, bucket: bucket.name };
  const trusted = await readTrustedKeys({ kms, arns: [ledgerKey.arn], jwks: null });
  const tombstoneKeys = await readTrustedKeys({ kms, arns: [tombstoneKey.arn], jwks: null });
  const importKeys = await readTrustedKeys({ kms, arns: [importKey.arn], jwks: null });
  let checks = 0;

  async function write(requests: Record<string, object[]>): Promise<void> {
    const flat = Object.entries(requests).flatMap(([table, ones]) => ones.map((one) => [table, one] as const));
    for (let at = 0; at < flat.length; at += 25) {
      const some = Map.groupBy(flat.slice(at, at + 25), ([table]) => table);
      const RequestItems = Object.fromEntries([...some].map(([table, ones]) => [table, ones.map(([, one]) => one)]));
      await client.send(new BatchWriteCommand({ RequestItems: RequestItems as never }));
    }
  }

  const keyOf = ({ userId, agreementId, recordedAt }: ConsentRecord) => ({
    userAgreement: `${userId}#${agreementId}`,
    recordedAt,
  });

  const stand = {
    evidence,
    tables,
    /** As an administrator puts it: unconditionally, and the pointer with the last record of each chain. */
    load: (chains: readonly (readonly ConsentRecord[])[]) =>
      write({
        ConsentRecords: chains.flat().map((record) => ({ PutRequest: { Item: { ...keyOf(record), ...record } } })),
        ConsentStates: chains.map((chain) => ({ PutRequest: { Item: stateOf(chain.at(-1) as ConsentRecord) } })),
      }),
    putRow: (userAgreement: string, row: object) =>
      write({ ConsentRecords: [{ PutRequest: { Item: { userAgreement, ...row } } }] }),
    putPointer: (pointer: object) => write({ ConsentStates: [{ PutRequest: { Item: pointer } }] }),
    drop: (records: readonly ConsentRecord[]) =>
      write({ ConsentRecords: records.map((record) => ({ DeleteRequest: { Key: keyOf(record) } })) }),
    dropPointer: ({ userId, agreementId }: ConsentRecord) =>
      write({ ConsentStates: [{ DeleteRequest: { Key: { userId, agreementId } } }] }),
    /** What writing checkpoints complained of. */
    log: [] as Line[],
    checkpoint: (options: Partial<Publishing> = {}) => {
      time += 3_600_000;
      return publishCheckpoint({
        ...evidence,
        kms,
        table: tables.ConsentStates,
        keyArn: ledgerKey.arn,
        earlierKeyArns: [],
        environment: 'dev',
        now: () => new Date(time),
        log: (line) => void (line.level === 'ERROR' && stand.log.push(line)),
        ...options,
      });
    },
    sign: (payload: object, typ: Parameters<typeof signCompact>[3], key = ledgerKey) =>
      signCompact(kms, key.arn, payload, typ),
    ledgerKey,
    tombstoneKey,
    trust: (arns: readonly string[]) => readTrustedKeys({ kms, arns, jwks: null }),
    /** Another one, which nobody trusts. */
    foreignKey,
    /** As an operator does it who found that nobody demanded it. */
    revokeTombstone: (userId: string, tombstone: string) =>
      revokeTombstone({
        evidence,
        kms,
        keyArn: importKey.arn,
        environment: 'dev',
        userId,
        tombstone,
        by: 'operator',
        reason: 'CASE-2026-1',
        now: new Date(),
      }),
    /** As `import-consents` signs for what it brought in. */
    signImport: async (records: readonly ConsentRecord[], options: Partial<ImportSigning> = {}) => {
      const signing = {
        evidence,
        kms,
        keyArn: importKey.arn,
        environment: 'dev',
        by: 'operator',
        now: () => new Date(),
      };
      const manifest = openManifest({ ...signing, ...options });
      for (const record of records) await manifest.add({ ...record, userAgreement: keyOf(record).userAgreement });
      return manifest.close();
    },
    /** @param storedAt when S3 says that it was laid; at once unless given */
    putEvidence: async (key: string, body: string | Buffer, storedAt: number | null = null) => {
      storage.now = storedAt;
      const isNew = await putOnce(evidence, key, body);
      storage.now = null;
      return isNew;
    },
    /** A folder for one check. */
    directory: () => {
      checks += 1;
      return join(directory, String(checks));
    },
    async verify(options: Partial<Verification> = {}) {
      const findings: Finding[] = [];
      const verdict = await verifyLedger({
        tables,
        evidence,
        keys: trusted,
        importKeys,
        tombstoneKeys,
        // Histories are of fixed days; dating.test.ts is about dates.
        movedClock: true,
        environment: 'dev',
        retentionYears: 10,
        graceMs: 0,
        isHeld: async () => false,
        directory: stand.directory(),
        segments: 4,
        found: (finding) => findings.push(finding),
        ...options,
      });
      return { ...verdict, found: findings, kinds: [...new Set(findings.map(({ kind }) => kind))].toSorted() };
    },
  };
  const owned = started.move();
  return { ...stand, close: () => owned.disposeAsync() };
}

export type Stand = Awaited<ReturnType<typeof openStand>>;
