import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { DeleteCommand, DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agreementKey, versionKey } from '../../functions/agreements/rules/catalogue-keys.ts';
import { type ConsentRecord, hashOf, nextRecord, partitionOf } from '../../functions/consents/rules/record.ts';
import { checkKeys } from '../../functions/receipts/jobs/check-keys.ts';
import { revokeKey } from '../../functions/receipts/jobs/revoke-key.ts';
import { type ReceiptClaims, receiptType } from '../../functions/receipts/rules/receipt.ts';
import { judgeReceipt } from '../../functions/receipts/rules/verification.ts';
import { readKeys } from '../../functions/receipts/stores/public-keys.ts';
import {
  type Issuing,
  issueReceipt,
  KeyRevoked,
  ReceiptMismatch,
} from '../../functions/receipts/workflows/issue-receipt.ts';
import { KeyMismatch, vouchForKeys } from '../../functions/receipts/workflows/vouch-for-keys.ts';
import { Unavailable } from '../../lib/contract/common-errors.ts';
import { startDynamoDb } from '../../lib/local/dynamodb/front.ts';
import { startKms } from '../../lib/local/kms/kms.ts';
import { isSignedBy, readCompact, thumbprintOf } from '../../lib/runtime/jws.ts';
import { publicKeyOf, publicKeysOf, signCompact } from '../../lib/runtime/sign.ts';
import { createTables } from '../tables.ts';

/** Receipts on this machine's own DynamoDB and KMS: two generations of the key, and who tampers with what is stored. */

const region = 'eu-central-1';
const accountId = '000000000000';
const keyModel = (id: string) => {
  const arn = `arn:aws:kms:${region}:${accountId}:key/${id}`;
  const common = { description: '', spec: 'ECC_NIST_P256', usage: 'SIGN_VERIFY', isEnabled: true };
  return { logicalId: id, id, arn, ...common, aliases: [], policy: null };
};
const generations = [keyModel(randomUUID()), keyModel(randomUUID())] as const;
const [ledgerKey, foreignKey] = [keyModel(randomUUID()), keyModel(randomUUID())] as const;
const names = ['ConsentReceipts', 'Agreements', 'PublicKeys'] as const;
const tables = { ConsentReceipts: 'ConsentReceipts', Agreements: 'Agreements', PublicKeys: 'PublicKeys' };
const content = { title: 'News', contentUrl: 'https://example.com/news', contentHash: 'c'.repeat(64) };

const started = new AsyncDisposableStack();
let dynamo: DynamoDBDocumentClient;
let kms: KMSClient;

beforeAll(async () => {
  const database = await startDynamoDb();
  started.defer(() => database.close());
  const service = await startKms({ region, accountId, keys: [...generations, ledgerKey, foreignKey] });
  started.defer(() => service.close());
  const place = { region, credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
  dynamo = DynamoDBDocumentClient.from(new DynamoDBClient({ ...place, endpoint: database.url }));
  kms = new KMSClient({ ...place, endpoint: service.url });
  started.defer(async () => [dynamo, kms].forEach((one) => void one.destroy()));
  await createTables(dynamo, [...names]);
  await vouch(generations.map(({ arn }) => arn));
  await put('Agreements', { application: 'sleepcare', catalogueKey: agreementKey('marketing') });
  const version = { application: 'sleepcare', catalogueKey: versionKey('marketing', 'marketing-1.0') };
  await put('Agreements', { ...version, locales: { en: content } });
});
afterAll(() => started.disposeAsync());

const ledgerKeys = () => publicKeysOf(kms, [ledgerKey.arn]);
const trusted = async () => readKeys(dynamo, 'PublicKeys', { environment: 'dev', ledgerKeys: await ledgerKeys() });
const vouching = () => ({
  dynamo,
  kms,
  table: 'PublicKeys',
  environment: 'dev',
  ledgerKeyArns: [ledgerKey.arn] as const,
});
const vouch = (receiptKeyArns: readonly string[], changed: object = {}) =>
  vouchForKeys({ ...vouching(), receiptKeyArns, now: () => new Date(), ...changed });

const put = (TableName: string, Item: object) => dynamo.send(new PutCommand({ TableName, Item }));

function recordOf({ contentHash = content.contentHash } = {}): ConsentRecord {
  const shown = {
    versionId: 'marketing-1.0',
    contentHash,
    locale: 'en',
    localeSource: 'stated',
    appVersion: null,
  } as const;
  const at = {
    userId: randomUUID(),
    agreementId: 'marketing',
    now: new Date(),
    recordId: randomUUID(),
    requestId: 'q',
  };
  return nextRecord(null, { ...shown, action: 'agreed' }, at);
}

const issuing = (changed: Partial<Issuing> = {}): Issuing => ({
  dynamo,
  kms,
  tables,
  keyArn: generations[0].arn,
  ledgerKeys,
  environment: 'dev',
  application: 'sleepcare',
  realNow: new Date(),
  ...changed,
});
const issue = async (record: ConsentRecord, changed: Partial<Issuing> & { expiresAt?: number } = {}) =>
  (await issueReceipt(issuing(changed), { record, expiresAt: changed.expiresAt ?? null })).receipt;
const keyOf = (record: ConsentRecord) => ({ userAgreement: partitionOf(record), recordedAt: record.recordedAt });
const stored = async (record: ConsentRecord) =>
  (await dynamo.send(new GetCommand({ TableName: 'ConsentReceipts', Key: keyOf(record) }))).Item;
const judge = async (receipt: string, environment = 'dev') =>
  judgeReceipt(readCompact(receipt), await trusted(), environment, { isSignedBy, thumbprintOf });

test('after a rotation the new key signs, old receipts are valid, and both keys are published', async () => {
  const [before, after] = [recordOf(), recordOf()];
  const old = await issue(before);
  const rotated = { keyArn: generations[1].arn };
  const young = await issue(after, rotated);
  expect(await issue(before, rotated)).toBe(old);
  const kids = await Promise.all(generations.map(async ({ arn }) => (await publicKeyOf(kms, arn)).kid));
  expect([old, young].map((receipt) => readCompact(receipt)?.kid)).toEqual(kids);
  expect((await trusted()).map(({ kid }) => kid).toSorted()).toEqual(kids.toSorted());
  expect(await judge(old)).toMatchObject({ refusal: null, record: before });
  expect(await judge(young)).toMatchObject({ refusal: null, record: after });
});

test('a receipt of another stage is none of ours, even by our key', async () => {
  const claims = { iss: 'mobile-health-staging', record: recordOf() };
  const receipt = await signCompact(kms, generations[0].arn, claims, receiptType);
  expect(await judge(receipt)).toEqual({ refusal: 'WRONG_ISSUER' });
  expect(await judge(receipt, 'staging')).toMatchObject({ refusal: null });
});

test('a receipt goes with its record', async () => {
  const [kept, going] = [recordOf(), recordOf()];
  await issue(kept);
  await issue(going, { expiresAt: 2_000_000_000 });
  expect(await stored(kept)).not.toHaveProperty('expiresAt');
  expect(await stored(going)).toMatchObject({ expiresAt: 2_000_000_000 });
});

test('title and address stand beside the hash of their own text alone', async () => {
  const noticeOf = async (record: ConsentRecord) => {
    const payload = readCompact(await issue(record))?.payload as ReceiptClaims | undefined;
    return payload?.consent.privacyNotice;
  };
  expect(await noticeOf(recordOf())).toMatchObject({ title: 'News', url: content.contentUrl });
  const other = 'd'.repeat(64);
  expect(await noticeOf(recordOf({ contentHash: other }))).toMatchObject({ title: null, url: null, hash: other });
});

describe('500 in place of a receipt, where', () => {
  const altered = (record: ConsentRecord) => ({ ...record, action: 'revoked' as const });
  const resealed = (record: ConsentRecord) => ({ ...altered(record), hash: hashOf(altered(record)) });

  test('the record was altered: it is not signed', async () => {
    const record = altered(recordOf());
    await expect(issue(record)).rejects.toThrow(ReceiptMismatch);
    expect(await stored(record)).toBeUndefined();
  });

  test('the record was altered after its receipt, with its hash or without', async () => {
    const record = recordOf();
    await issue(record);
    await expect(issue(altered(record))).rejects.toThrow(ReceiptMismatch);
    await expect(issue(resealed(record))).rejects.toThrow(ReceiptMismatch);
  });

  test.each<[string, (record: ConsentRecord, receipt: string, other: string) => string]>([
    ["another record's", (_record, _receipt, other) => other],
    ['no JWS', () => 'receipt'],
    [
      'one whose signature is of something else',
      (_record, receipt, other) => {
        return [...receipt.split('.').slice(0, 2), other.split('.')[2]].join('.');
      },
    ],
    [
      'one that only states the hash',
      (record, receipt) => {
        const claims = { ...readCompact(receipt)?.payload, record: altered(record) };
        const [header, , signature] = receipt.split('.');
        return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
      },
    ],
  ])('the stored receipt is %s', async (_name, forge) => {
    const [record, other] = [recordOf(), recordOf()];
    const [receipt, otherReceipt] = [await issue(record), await issue(other)];
    await put('ConsentReceipts', { ...(await stored(record)), receipt: forge(record, receipt, otherReceipt) });
    await expect(issue(record)).rejects.toThrow(ReceiptMismatch);
  });

  test('the stored receipt is signed by our key over a record that only states the hash', async () => {
    const record = recordOf();
    const claims = { iss: 'mobile-health-dev', record: altered(record) };
    const receipt = await signCompact(kms, generations[0].arn, claims, receiptType);
    await put('ConsentReceipts', { ...keyOf(record), receiptId: record.recordId, issuedAt: '', receipt });
    await expect(issue(record)).rejects.toThrow(ReceiptMismatch);
  });
});

describe('a key', () => {
  const find = async () => {
    const inKms = new Set(
      (
        await publicKeysOf(
          kms,
          generations.map(({ arn }) => arn),
        )
      ).keys(),
    );
    const at = { client: dynamo, table: 'PublicKeys', environment: 'dev' };
    return (await checkKeys({ ...at, ledgerKeys: await ledgerKeys(), inKms })).map(({ kind, says }) => [kind, says]);
  };
  const rowOf = async (arn: string) => {
    const jwk = await publicKeyOf(kms, arn);
    return { purpose: 'receipts', keyId: jwk.kid, jwk, publishedAt: '~' };
  };

  test('that nobody vouches for signs nothing and verifies nothing, and the check finds it', async () => {
    expect(await find()).toEqual([]);
    const row = await rowOf(foreignKey.arn);
    const said = { environment: 'dev', kid: row.keyId, jwk: row.jwk };
    const statements = [
      undefined,
      'garbage',
      await signCompact(kms, foreignKey.arn, said, 'receipt-key+jwt'),
      await signCompact(kms, ledgerKey.arn, said, 'ledger-checkpoint+jwt'),
      await signCompact(kms, ledgerKey.arn, { ...said, environment: 'prod' }, 'receipt-key+jwt'),
      await signCompact(kms, ledgerKey.arn, { ...said, jwk: (await rowOf(ledgerKey.arn)).jwk }, 'receipt-key+jwt'),
    ];
    for (const statement of statements) {
      await put('PublicKeys', { ...row, statement });
      expect((await trusted()).map(({ kid }) => kid)).not.toContain(row.keyId);
      await expect(issue(recordOf(), { keyArn: foreignKey.arn })).rejects.toMatchObject({ error: Unavailable });
      expect(await find()).toEqual([['receipt-key-foreign', expect.stringContaining('does not vouch')]]);
    }
    // Its own function says it at once.
    await expect(vouch([foreignKey.arn])).rejects.toThrow(KeyMismatch);
  });

  test('that the ledger vouches for and KMS does not have is found', async () => {
    const row = await rowOf(foreignKey.arn);
    const said = { environment: 'dev', kid: row.keyId, jwk: row.jwk };
    await put('PublicKeys', { ...row, statement: await signCompact(kms, ledgerKey.arn, said, 'receipt-key+jwt') });
    expect(await find()).toEqual([['receipt-key-foreign', expect.stringContaining('KMS has no such key')]]);
  });

  test('is revoked once, by the ledger alone: it signs no more, and says since when', async () => {
    const { kid } = await publicKeyOf(kms, generations[1].arn);
    const revoking = { ...vouching(), now: new Date() };
    await put('PublicKeys', { purpose: 'receipts', keyId: `${kid}#revoked`, publishedAt: '~', statement: 'garbage' });
    expect((await trusted()).find((key) => key.kid === kid)?.revokedAt).toBe(null);
    expect(await find()).toContainEqual(['receipt-key-foreign', expect.stringContaining('marker')]);
    await expect(revokeKey(revoking, kid, new Date())).rejects.toThrow('nobody has signed');
    await dynamo.send(
      new DeleteCommand({ TableName: 'PublicKeys', Key: { purpose: 'receipts', keyId: `${kid}#revoked` } }),
    );
    const old = await issue(recordOf(), { keyArn: generations[1].arn });
    await revokeKey(revoking, kid, new Date('2026-11-22T12:00:00.000Z'));
    await expect(revokeKey(revoking, kid, new Date())).rejects.toThrow('is revoked since 2026-11-22T12:00:00.000Z');
    await expect(revokeKey(revoking, 'unknown', new Date())).rejects.toThrow('no key unknown');
    expect(await judge(old)).toMatchObject({ refusal: null, revokedAt: '2026-11-22T12:00:00.000Z' });
    await expect(issue(recordOf(), { keyArn: generations[1].arn })).rejects.toThrow(KeyRevoked);
  });
});
