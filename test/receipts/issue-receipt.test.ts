import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConsentRecord } from '../../functions/access/consent-states.ts';
import { agreementKey, versionKey } from '../../functions/agreements/rules/catalogue-keys.ts';
import { hashOf, nextRecord, partitionOf } from '../../functions/consents/rules/record.ts';
import { checkKeys } from '../../functions/receipts/jobs/check-keys.ts';
import { revokeKey } from '../../functions/receipts/jobs/revoke-key.ts';
import type { ReceiptClaims } from '../../functions/receipts/rules/receipt.ts';
import { manifestType, receiptType } from '../../functions/receipts/rules/signed-types.ts';
import { judgeReceipt } from '../../functions/receipts/rules/verification.ts';
import { keepKeys } from '../../functions/receipts/stores/kept-keys.ts';
import { keyObject, readKeys, revocationObject } from '../../functions/receipts/stores/published-keys.ts';
import { KeyRevoked } from '../../functions/receipts/stores/signer-check.ts';
import { type Issuing, issueReceipt, ReceiptMismatch } from '../../functions/receipts/workflows/issue-receipt.ts';
import { KeyMismatch, vouchForKeys } from '../../functions/receipts/workflows/vouch-for-keys.ts';
import { watchKeys } from '../../functions/receipts/workflows/watch-keys.ts';
import { Unavailable } from '../../lib/contract/common-errors.ts';
import { startDynamoDb } from '../../lib/local/dynamodb/front.ts';
import { startKms } from '../../lib/local/kms/kms.ts';
import { startS3 } from '../../lib/local/s3/s3.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { isSignedBy, readCompact, thumbprintOf } from '../../lib/runtime/jws.ts';
import { publicKeyOf, publicKeysOf, signCompact } from '../../lib/runtime/sign.ts';
import { createTables, handlesNamed } from '../tables.ts';

/** Receipts on this machine's own DynamoDB and KMS: two generations of the key, and who tampers with what is stored. */

const region = 'eu-central-1';
const accountId = '000000000000';
const keyModel = (id: string) => {
  const arn = `arn:aws:kms:${region}:${accountId}:key/${id}`;
  const common = { description: '', spec: 'ECC_NIST_P256', usage: 'SIGN_VERIFY', isEnabled: true };
  return { logicalId: id, id, arn, ...common, aliases: [], policy: null };
};
const generations = [keyModel(randomUUID()), keyModel(randomUUID())] as const;
const [manifestKey, vouchingKey, revocationKey, foreignKey] = [
  keyModel(randomUUID()),
  keyModel(randomUUID()),
  keyModel(randomUUID()),
  keyModel(randomUUID()),
] as const;
const names = ['ConsentReceipts', 'Agreements'] as const;
const tables = handlesNamed(() => dynamo, names);
const bucket = {
  logicalId: 'Evidence',
  name: 'evidence',
  arn: 'arn:aws:s3:::evidence',
  isVersioned: true,
  lock: { retention: { mode: 'COMPLIANCE', days: 1 } },
  cors: [],
  policy: [],
} as const;
const content = { title: 'News', contentUrl: 'https://example.com/news', contentHash: 'c'.repeat(64) };

const started = new AsyncDisposableStack();
let dynamo: DynamoDBDocumentClient;
let kms: KMSClient;
let s3: S3Client;

beforeAll(async () => {
  const database = await startDynamoDb();
  started.defer(() => database.close());
  const service = await startKms({
    region,
    accountId,
    keys: [...generations, manifestKey, vouchingKey, revocationKey, foreignKey],
  });
  started.defer(() => service.close());
  const store = await startS3({ region, buckets: [bucket] });
  started.defer(() => store.close());
  const place = { region, credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
  dynamo = documentsOf(new DynamoDBClient({ ...place, endpoint: database.url }));
  kms = new KMSClient({ ...place, endpoint: service.url });
  s3 = new S3Client({ ...place, endpoint: store.url });
  started.defer(async () => [dynamo, kms, s3].forEach((one) => void one.destroy()));
  await createTables(dynamo, [...names]);
  await vouch(generations.map(({ arn }) => arn));
  await put('Agreements', { application: 'sleepcare', catalogueKey: agreementKey('marketing') });
  const version = { application: 'sleepcare', catalogueKey: versionKey('marketing', 'marketing-1.0') };
  await put('Agreements', { ...version, locales: { en: content } });
});
afterAll(() => started.disposeAsync());

const evidence = () => ({ s3, bucket: bucket.name });
const trust = async () => ({
  environment: 'dev',
  receiptKeys: await publicKeysOf(
    kms,
    generations.map(({ arn }) => arn),
  ),
  manifestKeys: await publicKeysOf(kms, [manifestKey.arn]),
  vouchingKeys: await publicKeysOf(kms, [vouchingKey.arn]),
  revocationKeys: await publicKeysOf(kms, [revocationKey.arn]),
});
const trusted = async () => readKeys(evidence(), await trust());
const vouch = (receiptKeyArns: readonly string[]) =>
  vouchForKeys({
    evidence: evidence(),
    kms,
    environment: 'dev',
    vouchingKeyArns: [vouchingKey.arn],
    receiptKeyArns,
    manifestKeyArns: [manifestKey.arn],
  });
/** As an administrator of the bucket puts it, over what is there. */
const lay = (Key: string, Body: string) => s3.send(new PutObjectCommand({ Bucket: bucket.name, Key, Body }));

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
  kms,
  tables,
  keyArn: generations[0].arn,
  keys: trusted,
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
  const published = (await trusted()).filter(({ signs }) => signs === receiptType);
  expect(published.map(({ kid }) => kid).toSorted()).toEqual(kids.toSorted());
  expect(await judge(old)).toMatchObject({ refusal: null, claims: { record: before } });
  expect(await judge(young)).toMatchObject({ refusal: null, claims: { record: after } });
});

test('a receipt of another stage is none of ours, even by our key', async () => {
  const claims = { iss: 'mobile-health-staging', record: recordOf() };
  const receipt = await signCompact(kms, generations[0].arn, claims, receiptType);
  expect(await judge(receipt)).toEqual({ refusal: 'WRONG_ISSUER' });
  expect(await judge(receipt, 'staging')).toMatchObject({ refusal: null });
});

test('a receipt does not outlive its record: only the expiry role sets its end, and none is stored for a record with an expiry', async () => {
  const [kept, going] = [recordOf(), recordOf()];
  await issue(kept);
  expect(await stored(kept)).not.toHaveProperty('expiresAt');
  expect(await judge(await issue(going, { expiresAt: 2_000_000_000 }))).toMatchObject({ refusal: null });
  expect(await stored(going)).toBeUndefined();
});

test('title and address stand only beside the hash of their own text', async () => {
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

/** Not in the types yet. */
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };

describe('500 instead of a stored receipt with wrong claims about its record', () => {
  const other = randomUUID();
  test.each<[string, (claims: ReceiptClaims) => object]>([
    ['sub', (claims) => ({ ...claims, sub: other })],
    ['jti', (claims) => ({ ...claims, jti: other })],
    ['iat', (claims) => ({ ...claims, iat: claims.iat - 1 })],
    // As JSON it is an endless number.
    ['more, which is no number of JSON', (claims) => ({ ...claims, more: rawJSON('1e999') })],
    ['the version', ({ consent, ...claims }) => ({ ...claims, consent: { ...consent, privacyNotice: {} } })],
    ['the application', ({ consent, ...claims }) => ({ ...claims, consent: { ...consent, service: 'medinfo' } })],
  ])('%s', async (_name, change) => {
    const record = recordOf();
    const claims = readCompact(await issue(record))?.payload as ReceiptClaims;
    const receipt = await signCompact(kms, generations[0].arn, change(claims), receiptType);
    await put('ConsentReceipts', { ...(await stored(record)), receipt });
    await expect(issue(record)).rejects.toThrow(ReceiptMismatch);
  });
});

describe('a key', () => {
  const find = async (asksKms = true) =>
    (await checkKeys(evidence(), await trust(), asksKms)).map(({ kind, says }) => [kind, says]);
  const statementOf = async (arn: string) => {
    const jwk = await publicKeyOf(kms, arn);
    return { environment: 'dev', kid: jwk.kid, jwk };
  };
  const foreign = (says: string) => ['receipt-key-foreign', expect.stringContaining(says)];

  test('that nobody vouches for is none of ours, and its own function says so', async () => {
    expect(await find()).toEqual([]);
    const said = await statementOf(foreignKey.arn);
    const jwk = (await statementOf(vouchingKey.arn)).jwk;
    const statements = [
      'garbage',
      await signCompact(kms, foreignKey.arn, said, 'receipt-key+jwt'),
      await signCompact(kms, revocationKey.arn, said, 'receipt-key+jwt'),
      await signCompact(kms, vouchingKey.arn, said, 'ledger-checkpoint+jwt'),
      await signCompact(kms, vouchingKey.arn, { ...said, environment: 'prod' }, 'receipt-key+jwt'),
      await signCompact(kms, vouchingKey.arn, { ...said, jwk }, 'receipt-key+jwt'),
      // About the very key, as one that signs manifests.
      await signCompact(kms, vouchingKey.arn, { ...said, signs: manifestType }, 'receipt-key+jwt'),
    ];
    const known = await trust();
    const asIfInKms = { ...known, receiptKeys: await publicKeysOf(kms, [generations[0].arn, foreignKey.arn]) };
    for (const statement of statements) {
      await lay(keyObject(said.kid), statement);
      expect((await readKeys(evidence(), asIfInKms)).map(({ kid }) => kid)).not.toContain(said.kid);
    }
    await expect(issue(recordOf(), { keyArn: foreignKey.arn })).rejects.toMatchObject({ error: Unavailable });
    await expect(vouch([foreignKey.arn])).rejects.toThrow(KeyMismatch);
    expect(await find()).toEqual(
      statements.map((_, n) => foreign(n >= 5 ? 'no such key' : 'that the vouching key has signed')),
    );
  });

  test('that is vouched for and not in KMS is none of ours either, and rings for a day', async () => {
    const said = await statementOf(foreignKey.arn);
    await lay(keyObject(said.kid), await signCompact(kms, vouchingKey.arn, said, 'receipt-key+jwt'));
    expect((await trusted()).map(({ kid }) => kid)).not.toContain(said.kid);
    expect(await find()).toContainEqual(foreign('KMS has no such key'));
    const counted: unknown[] = [];
    const log = (_line: object, metrics?: object) => void (metrics && counted.push(metrics));
    const now = Date.now();
    const told: string[][] = [];
    const tell = async (lines: readonly string[]) => void told.push([...lines]);
    for (const at of [now, now + 3_600_000, now + 2 * 86_400_000])
      await watchKeys(evidence(), await trust(), { now: () => new Date(at), log, tell });
    expect(counted).toEqual([8, 8, 0].map((receiptKeysForeign) => ({ receiptKeysForeign })));
    // People are told once, also where the alarm is on already.
    expect(told.map((lines) => lines.length)).toEqual([8, 0, 0]);
    expect(told[0]?.at(-1)).toMatch(/^receipt-keys\/.+: the statement is signed, but KMS has no such key/);
  });

  test('stays one, whatever is put over its statement', async () => {
    const before = await trusted();
    await lay(keyObject(before[0]?.kid ?? ''), 'garbage');
    expect(await trusted()).toEqual(before);
    await vouch(generations.map(({ arn }) => arn));
  });

  test('is known to who kept others, the moment that it is vouched for; one that KMS has not costs nothing', async () => {
    const [made, ...others] = await Promise.all(
      [foreignKey, ...generations].map(async ({ arn }) => [(await publicKeyOf(kms, arn)).kid, arn] as const),
    );
    let reads = 0;
    let inKms: readonly string[] = others.map(([, arn]) => arn);
    const source = async () => {
      reads += 1;
      return { ...(await trust()), receiptKeys: await publicKeysOf(kms, inKms), manifestKeys: new Map() };
    };
    const kept = keepKeys(evidence(), source, () => 0);
    const kid = made?.[0] ?? '';
    expect((await kept.including(kid)).map((key) => key.kid)).toEqual(others.map(([id]) => id));
    // By the test before, its statement is there: what was missing was KMS.
    inKms = [...inKms, foreignKey.arn];
    expect((await kept.including(kid)).map((key) => key.kid)).toContain(kid);
    const asked = reads;
    await kept.all();
    expect(reads).toBe(asked);
  });

  test('is revoked for good, only by the key of revocations: it signs no more, and the earliest time counts', async () => {
    const { kid } = await publicKeyOf(kms, generations[1].arn);
    const revoking = { evidence: evidence(), kms, trust: await trust(), revocationKeyArn: revocationKey.arn };
    const early = '2020-01-01T00:00:00.000Z';
    const said = { environment: 'dev', kid, revokedAt: early };
    const forged = [
      'garbage',
      await signCompact(kms, vouchingKey.arn, said, 'receipt-key-revocation+jwt'),
      await signCompact(kms, revocationKey.arn, { ...said, environment: 'prod' }, 'receipt-key-revocation+jwt'),
      await signCompact(kms, revocationKey.arn, { ...said, kid: 'another' }, 'receipt-key-revocation+jwt'),
      await signCompact(kms, revocationKey.arn, { ...said, revokedAt: 'never' }, 'receipt-key-revocation+jwt'),
      await signCompact(kms, revocationKey.arn, said, 'receipt-key+jwt'),
    ];
    for (const text of forged) await lay(revocationObject(kid, early), text);
    expect((await trusted()).find((key) => key.kid === kid)?.revokedAt).toBe(null);
    expect((await find()).filter(([, says]) => String(says).includes('revocation'))).toHaveLength(forged.length);
    const old = await issue(recordOf(), { keyArn: generations[1].arn });

    await revokeKey(revoking, kid, new Date('2026-11-22T12:00:00.000Z'));
    for (const at of ['2026-11-22T12:00:00.000Z', '2026-11-23T12:00:00.000Z'])
      await expect(revokeKey(revoking, kid, new Date(at))).rejects.toThrow('is revoked since 2026-11-22T12:00:00.000Z');
    await expect(revokeKey(revoking, 'unknown', new Date())).rejects.toThrow('no key unknown');
    await expect(revokeKey(revoking, kid, new Date(early))).rejects.toThrow('has an object that nobody signed');
    // What is put over it hides it no more than what is put beside it.
    await lay(revocationObject(kid, '2026-11-22T12:00:00.000Z'), 'garbage');
    const late = { ...said, revokedAt: '2999-01-01T00:00:00.000Z' };
    await lay(
      revocationObject(kid, 'a'),
      await signCompact(kms, revocationKey.arn, late, 'receipt-key-revocation+jwt'),
    );
    expect(await judge(old)).toMatchObject({ refusal: null, revokedAt: '2026-11-22T12:00:00.000Z' });
    await expect(issue(recordOf(), { keyArn: generations[1].arn })).rejects.toThrow(KeyRevoked);

    await revokeKey(revoking, kid, new Date('2026-11-01T00:00:00.000Z'));
    expect(await judge(old)).toMatchObject({ revokedAt: '2026-11-01T00:00:00.000Z' });
  });
});
