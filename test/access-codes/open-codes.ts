import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SNSClient } from '@aws-sdk/client-sns';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Batch } from '../../functions/access-codes/rules/batch.ts';
import { stubbedVerdict } from '../../functions/access-codes/rules/foreign-code.ts';
import { putBatch, readBatch, readGroups } from '../../functions/access-codes/stores/code-rows.ts';
import { eraseEntitlements } from '../../functions/access-codes/stores/entitlement-starts.ts';
import { issueCodesOf } from '../../functions/access-codes/workflows/issue-codes.ts';
import { redeemCode } from '../../functions/access-codes/workflows/redeem-code.ts';
import { revokeBatch, revokeCode } from '../../functions/access-codes/workflows/revoke-codes.ts';
import type { ShareWithSite } from '../../functions/access-codes/workflows/share-with-site.ts';
import type { KeyRing } from '../../lib/contract/key-ring.ts';
import { type DynamoDbOptions, startDynamoDb } from '../../lib/local/dynamodb/front.ts';
import { commit } from '../../lib/runtime/commit.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { callLimits } from '../../lib/runtime/limits.ts';
import { createTables } from '../tables.ts';

/** Codes on the local DynamoDB, driven without HTTP: faults, order and clock are the test's. */

const names = [
  'AccessCodeBatches',
  'AccessCodes',
  'IssuedAccessCodes',
  'Entitlements',
  'EntitlementStarts',
  'AccessCodeTries',
  'AuditEvents',
] as const;
const secret: KeyRing = ['test'];
export const dayMs = 86_400_000;

/** No entitlement is in a bucket, or on a phone. */
const uncalled = { s3: new S3Client({}), sns: new SNSClient({}) };

/** As often as a function tries, and without its time-outs, within which a busy machine may not answer. */
const limits = { maxAttempts: callLimits.maxAttempts };

export type OpenCodes = Awaited<ReturnType<typeof openCodes>>;

export async function openCodes(options: DynamoDbOptions = {}) {
  const database = await startDynamoDb(options);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const dynamo = documentsOf(
    new DynamoDBClient({ ...limits, endpoint: database.url, region: 'eu-central-1', credentials }),
  );
  const tables = await createTables(dynamo, names);
  const place = { tables, secret, verify: async (code: string) => stubbedVerdict(code) };
  const occasion = { application: 'medinfo', actor: 'admin', requestId: 'r' };

  /** A batch without codes. */
  async function begun(count: number, wish: Partial<Batch> = {}): Promise<Batch> {
    const batch: Batch = {
      batchId: randomUUID(),
      count,
      kind: 'clinic',
      programmeId: 'insomnia-basic',
      grantsDays: 30,
      redeemBy: '2098-12-31T23:59:59.000Z',
      siteId: null,
      studyId: null,
      createdAt: '2026-01-01T00:00:00.000Z',
      revokedAt: null,
      entitlementsEndedAt: null,
      revision: 1,
      ...wish,
    };
    await commit([putBatch(tables.AccessCodeBatches, batch)], randomUUID());
    return batch;
  }

  const issue = async (batch: Batch, newCodes?: Parameters<typeof issueCodesOf>[2], realNow = new Date()) => {
    const current = (await readBatch(tables.AccessCodeBatches, batch.batchId)) ?? batch;
    const expiresAt = Math.floor((realNow.getTime() + dayMs) / 1000);
    const issued = await issueCodesOf(place, { batch: current, expiresAt, realNow }, newCodes);
    return issued?.map(({ code }) => code) ?? null;
  };

  return {
    place,
    begun,
    issue,
    /** The codes of a new batch. */
    issued: async (count: number, wish: Partial<Batch> = {}) => (await issue(await begun(count, wish))) ?? [],
    redeem: (code: string, more: { userId?: string; share?: ShareWithSite; now?: Date } = {}) => {
      const { userId = randomUUID(), share, now = new Date() } = more;
      const unasked = () => Promise.reject(new Error('nothing is to be shared'));
      return redeemCode(place, { userId, code, now, wantsToShare: share !== undefined }, share ?? unasked);
    },
    revokeBatch: (batchId: string, endEntitlements = false) =>
      revokeBatch(place, batchId, { ...occasion, endEntitlements, now: new Date() }, { pause: () => setImmediate() }),
    revokeCode: (accessCodeId: string, endEntitlements = false) =>
      revokeCode(place, accessCodeId, { ...occasion, endEntitlements, now: new Date() }),
    erase: (userId: string) => eraseEntitlements({ tables, buckets: {}, ...uncalled }, { userId, erasedAt: '' }),
    groups: (batchId: string) => readGroups(tables.AccessCodeBatches, batchId),
    rows: async (name: (typeof names)[number]) =>
      (await dynamo.send(new ScanCommand({ TableName: name, ConsistentRead: true }))).Items ?? [],
    async close() {
      dynamo.destroy();
      await database.close();
    },
  };
}
