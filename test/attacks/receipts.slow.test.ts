import { execFile } from 'node:child_process';
import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { InvokeCommand } from '@aws-sdk/client-lambda';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { GetCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { ConsentRecord } from '../../functions/access/consent-states.ts';
import { checkKeys } from '../../functions/receipts/jobs/check-keys.ts';
import { revokeKey } from '../../functions/receipts/jobs/revoke-key.ts';
import {
  keyStatement,
  keyType,
  revocationStatement,
  revocationType,
} from '../../functions/receipts/rules/key-statement.ts';
import { manifestType, receiptType } from '../../functions/receipts/rules/signed-types.ts';
import { keyObject, revocationObject } from '../../functions/receipts/stores/published-keys.ts';
import { lowered, readCompact, signingInput } from '../../lib/runtime/jws.ts';
import { publicJwk, publicKeyOf, publicKeysOf, signCompact } from '../../lib/runtime/sign.ts';
import { historyOf } from '../ledger/histories.ts';
import { attackedStage } from './attacked-stage.ts';
import { receiptOfSomebody } from './receipt-of-somebody.ts';

/** Receipts and the keys that sign them, attacked with the rights of single functions. */

const attacked = attackedStage();
const vouching = 'vouch-for-receipt-keys';
const signing = 'sign-receipt';
const asking = ['read-receipt', 'read-receipt-of-record'] as const;
const sealing = 'make-research-export';
const denied = 'not authorized';

const verify = async (receipt: string) => {
  const call = await attacked.caller(randomUUID());
  return (await call('POST', '/agreements/receipts/verify', { receipt })).body;
};
const jwks = async () => (await (await attacked.caller(randomUUID()))('GET', '/.well-known/jwks.json')).body.keys;
/** The name of the function of an operation. */
const performer = (operation: string, application = 'sleepcare') => {
  const isIt = (fn: { operation: string; environment: Readonly<Record<string, string>> }) =>
    fn.operation === operation && fn.environment.APPLICATION === application;
  return attacked.stage().model().functions.find(isIt)?.name ?? '';
};
const invented = () => historyOf(1)[0] as ConsentRecord;

function forgersKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicJwk(publicKey.export({ format: 'der', type: 'spki' }));
  return { jwk, forge: (claims: object) => signedBy(privateKey, jwk.kid, claims) };
}

function signedBy(key: KeyObject, kid: string, claims: object): string {
  const input = signingInput({ alg: 'ES256', kid, typ: receiptType }, claims);
  const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
  return `${input}.${lowered(signature).toString('base64url')}`;
}

/** What the script of docs/domains/research.md says of a manifest that this role signed with that key. */
async function checked(role: string, key: string, base = '/de/v1'): Promise<string | undefined> {
  const page = readFileSync(new URL('../../docs/domains/research.md', import.meta.url), 'utf8');
  const script = /<!-- research-manifest -->\n```js\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'manifest-'));
  const said = { iss: 'mobile-health-dev', sub: 'a-study', jti: 'an-export', files: [] };
  const signed = await signCompact(attacked.as(role).kms, attacked.output(`${key}Arn`), said, manifestType);
  writeFileSync(join(folder, 'manifest.jws'), signed);
  const address = `${attacked.stage().url}${base}/.well-known/jwks.json`;
  const call = ['--input-type=module', '-e', script, said.sub, said.jti, folder, address];
  const answer = await promisify(execFile)(process.execPath, call).then(
    () => 'genuine',
    ({ stderr }: { stderr: string }) => /JWKSNoMatchingKey/.exec(stderr)?.[0],
  );
  rmSync(folder, { recursive: true });
  return answer;
}

function lay(operation: string, Key: string, Body: string, condition: object = { IfNoneMatch: '*' }) {
  return attacked.as(operation).s3.send(new PutObjectCommand({ Bucket: attacked.bucket(), Key, Body, ...condition }));
}

async function trust() {
  const { kms } = attacked.owner();
  const keys = (name: string) => publicKeysOf(kms, [attacked.output(`${name}Arn`)]);
  return {
    environment: 'dev',
    receiptKeys: await keys('ReceiptKey'),
    manifestKeys: await keys('ResearchManifestKey'),
    vouchingKeys: await keys('VouchingKey'),
    revocationKeys: await keys('RevocationKey'),
  };
}
const evidence = () => ({ s3: attacked.owner().s3, bucket: attacked.bucket() });

describe('the role that vouches for keys', () => {
  test('vouches for a key of its own: it is in no JWKS, verifies nothing, and is an alarm', async () => {
    const { jwk, forge } = forgersKey();
    const { kms } = attacked.as(vouching);
    const statement = await signCompact(
      kms,
      attacked.output('VouchingKeyArn'),
      keyStatement('dev', jwk, receiptType),
      keyType,
    );
    await lay(vouching, keyObject(jwk.kid), statement);
    const { claims } = await receiptOfSomebody(attacked);
    expect(await verify(forge(claims))).toMatchObject({ valid: false, reason: 'UNKNOWN_KEY' });
    const { receiptKeys, manifestKeys } = await trust();
    const ours = [...receiptKeys.keys(), ...manifestKeys.keys()];
    expect((await jwks()).map(({ kid }: { kid: string }) => kid)).toEqual(ours);
    attacked.log.length = 0;
    await attacked.stage().runSchedule('watch-receipt-keys');
    const lines = attacked.log.filter((line) => line.startsWith('watch-receipt-keys')).join();
    expect(lines).toContain(keyObject(jwk.kid));
    expect(lines).toContain('KMS has no such key');
    expect(lines).toMatch(/"receiptKeysForeign":[1-9]/);
    const found = await checkKeys(evidence(), await trust(), true);
    expect(found.map(({ says }) => says).join()).toContain(keyObject(jwk.kid));
  });

  test('can put nothing over a key, and nothing of it hides one', async () => {
    const before = await jwks();
    const key = keyObject(before[0].kid);
    await expect(lay(vouching, key, 'x', {})).rejects.toMatchObject({ name: 'AccessDenied' });
    await expect(lay(vouching, key, 'x')).rejects.toMatchObject({ name: 'PreconditionFailed' });
    await lay(vouching, `${key}.more`, 'x');
    await attacked.stage().runSchedule(vouching);
    expect(await jwks()).toEqual(before);
  });

  test.each([vouching, 'write-checkpoint', 'watch-receipt-keys', sealing, signing, ...asking])(
    '%s can neither sign a revocation, nor lay or block one',
    async (operation) => {
      const { kms } = attacked.as(operation);
      const [kid = ''] = (await trust()).receiptKeys.keys();
      const said = revocationStatement('dev', kid, '2999-01-01T00:00:00.000Z');
      await expect(signCompact(kms, attacked.output('RevocationKeyArn'), said, revocationType)).rejects.toThrow(denied);
      const key = revocationObject(kid, '2999-01-01T00:00:00.000Z');
      for (const condition of [{}, { IfNoneMatch: '*' }])
        await expect(lay(operation, key, 'x', condition)).rejects.toMatchObject({ name: 'AccessDenied' });
    },
  );

  test('signs nothing with the key of checkpoints, nor with those of receipts and manifests', async () => {
    const { kms } = attacked.as(vouching);
    for (const name of ['LedgerKey', 'ReceiptKey', 'ResearchManifestKey', 'TombstoneKey', 'ImportKey']) {
      const signed = signCompact(kms, attacked.output(`${name}Arn`), {}, 'ledger-checkpoint+jwt');
      await expect(signed, name).rejects.toThrow(denied);
    }
  });
});

test('each key is used by whom it is for, and by nobody else', () => {
  const { principals, functions } = attacked.stage().model();
  const whoSigns = (name: string) => {
    const arn = attacked.output(`${name}Arn`);
    const allowed = principals.filter(({ statements }) =>
      statements.some(
        ({ Effect, Action, Resource }) =>
          Effect === 'Allow' &&
          [Action].flat().some((one) => one === 'kms:Sign' || one === 'kms:*' || one === '*') &&
          [Resource].flat().some((one) => one === arn || one?.includes('*')),
      ),
    );
    const operations = allowed.map(({ arn: role }) => functions.find((fn) => fn.roleArn === role)?.operation ?? role);
    return [...new Set(operations)].toSorted();
  };
  const names = [
    'ReceiptKey',
    'ResearchManifestKey',
    'VouchingKey',
    'RevocationKey',
    'ImportKey',
    'TombstoneKey',
    'LedgerKey',
  ];
  expect(Object.fromEntries(names.map((name) => [name, whoSigns(name)]))).toEqual({
    ReceiptKey: [signing],
    ResearchManifestKey: [sealing],
    VouchingKey: [vouching],
    RevocationKey: [],
    ImportKey: [],
    TombstoneKey: ['release-consents'],
    LedgerKey: ['write-checkpoint'],
  });
});

describe('the roles of the routes of receipts', () => {
  test.each(asking)(
    '%s signs and stores nothing: it only asks for the receipt of a record that is there',
    async (operation) => {
      const { kms, dynamo, lambda } = attacked.as(operation);
      const { claims, receipt, Key } = await receiptOfSomebody(attacked);
      await expect(signCompact(kms, attacked.output('ReceiptKeyArn'), claims, receiptType)).rejects.toThrow(denied);
      const TableName = attacked.table('ConsentReceipts');
      const Item = { ...Key, receipt: 'x' };
      for (const table of [TableName, attacked.table('ConsentRecords')])
        await expect(
          dynamo.send(new TransactWriteCommand({ TransactItems: [{ Put: { TableName: table, Item } }] })),
        ).rejects.toThrow(denied);
      const ask = async (FunctionName: string, said: object) => {
        const { Payload, FunctionError } = await lambda.send(
          new InvokeCommand({ FunctionName, Payload: Buffer.from(JSON.stringify(said)) }),
        );
        return FunctionError ?? JSON.parse(Buffer.from(Payload ?? '').toString()).output.signed;
      };
      const signer = performer('sign-receipt');
      const [userId, agreementId] = Key.userAgreement.split('#');
      const named = { userId, agreementId, recordedAt: Key.recordedAt };
      expect(await ask(signer, named)).toMatchObject({ receipt });
      expect(await ask(signer, { ...named, recordedAt: '2020-01-01T00:00:00.000Z' })).toBeNull();
      // What it says beside the record's name counts for nothing.
      expect(await ask(signer, { ...named, record: { ...claims, sub: randomUUID() } })).toMatchObject({ receipt });
      expect(await ask(signer, { userId })).toBe('Unhandled');
      await expect(ask(performer('verify-receipt'), named)).rejects.toThrow(denied);
      await expect(ask(performer('sign-receipt', 'medinfo'), named)).rejects.toThrow(denied);
    },
  );
});

test('the signer of another application signs nothing, and keeps nothing', async () => {
  const userId = randomUUID();
  const call = await attacked.caller(userId);
  expect((await call('POST', '/agreements/versions/marketing-1.0/agree')).status).toBe(200);
  const [{ recordedAt }] = (await call('GET', '/users/agreements/marketing/history')).body.items;
  const { lambda } = attacked.as('read-receipt', 'medinfo');
  const named = { userId, agreementId: 'marketing', recordedAt };
  const { Payload } = await lambda.send(
    new InvokeCommand({
      FunctionName: performer('sign-receipt', 'medinfo'),
      Payload: Buffer.from(JSON.stringify(named)),
    }),
  );
  expect(JSON.parse(Buffer.from(Payload ?? '').toString())).toEqual({ output: { signed: null } });
  const { status, body } = await call('GET', '/users/agreements/marketing/receipt');
  expect([status, readCompact(body.receipt)?.payload]).toMatchObject([200, { consent: { service: 'sleepcare' } }]);
});

describe('the role that signs receipts', () => {
  test.each([signing])(
    '%s says nothing of keys, and a record that it invents is not in the ledger',
    async (operation) => {
      const { kms } = attacked.as(operation);
      await expect(lay(operation, keyObject('x'), 'x')).rejects.toMatchObject({ name: 'AccessDenied' });
      const sign = (record: object) =>
        signCompact(kms, attacked.output('ReceiptKeyArn'), { iss: 'mobile-health-dev', record }, receiptType);
      const record = invented();
      expect(await verify(await sign(record))).toMatchObject({ valid: false, reason: 'NOT_IN_LEDGER', record: null });
      expect(await verify(await sign({ ...record, locale: 'fr' }))).toMatchObject({
        valid: false,
        reason: 'WRONG_HASH',
      });
    },
  );

  test.each([signing])('%s signs no manifest with a key that says so', async (operation) => {
    const { kms } = attacked.as(operation);
    const said = { iss: 'mobile-health-dev', sub: 'a-study', jti: 'an-export', files: [] };
    const withKeyOf = (name: string) => signCompact(kms, attacked.output(`${name}Arn`), said, manifestType);
    await expect(withKeyOf('ResearchManifestKey')).rejects.toThrow(denied);
    // The header names the key, which says in the list what it signs.
    const jws = readCompact(await withKeyOf('ReceiptKey'));
    const key = (await jwks()).find(({ kid }: { kid: string }) => kid === jws?.kid);
    expect(key.signs).toBe(receiptType);
  });

  test('the script of the page on research refuses a manifest that the key of receipts signed', async () => {
    expect(await checked(sealing, 'ResearchManifestKey')).toBe('genuine');
    expect(await checked(signing, 'ReceiptKey')).toBe('JWKSNoMatchingKey');
  });

  test('the role that signs manifests makes none of an export that is not there', async () => {
    const { kms } = attacked.as(sealing);
    const said = { iss: 'mobile-health-dev', sub: 'a-study', jti: 'an-export', iat: 1, files: [] };
    const check = async (manifest: string) => {
      const call = await attacked.caller(randomUUID(), 'patient', 'medinfo');
      return (await call('POST', '/research/manifests/verify', { manifest })).body;
    };
    const signed = await signCompact(kms, attacked.output('ResearchManifestKeyArn'), said, manifestType);
    expect(await check(signed)).toMatchObject({ valid: false, reason: 'NOT_EXPORTED' });
    const withReceipts = await signCompact(
      attacked.as(signing).kms,
      attacked.output('ReceiptKeyArn'),
      said,
      manifestType,
    );
    expect(await check(withReceipts)).toMatchObject({ valid: false, reason: 'UNKNOWN_KEY' });
    const { receipt } = await receiptOfSomebody(attacked);
    expect(await check(receipt)).toMatchObject({ valid: false, reason: 'WRONG_TYPE' });
  });

  test('the role that signs manifests makes no receipt', async () => {
    const { claims } = await receiptOfSomebody(attacked);
    const { kms } = attacked.as(sealing);
    const withKeyOf = (name: string) => signCompact(kms, attacked.output(`${name}Arn`), claims, receiptType);
    await expect(withKeyOf('ReceiptKey')).rejects.toThrow(denied);
    expect(await verify(await withKeyOf('ResearchManifestKey'))).toMatchObject({ valid: false, reason: 'UNKNOWN_KEY' });
  });

  test('false claims beside a true record are named', async () => {
    const { claims } = await receiptOfSomebody(attacked);
    const { kms } = attacked.as(signing);
    const notice = { ...claims.consent.privacyNotice, title: 'Nothing at all', version: 'marketing-9.9' };
    const event = { ...claims.consent.event, state: 'withdrawn' };
    const consent = {
      ...claims.consent,
      service: 'medinfo',
      privacyNotice: { ...notice, hash: 'f'.repeat(64) },
      event,
    };
    const said = { ...claims, sub: randomUUID(), jti: randomUUID(), iat: 4_000_000_000, consent };
    const answer = await verify(await signCompact(kms, attacked.output('ReceiptKeyArn'), said, receiptType));
    expect(answer).toMatchObject({ valid: false, reason: 'CLAIMS_DIFFER', record: null });
    expect(answer.differs).toEqual([
      'consent.event.state',
      'consent.privacyNotice.hash',
      'consent.privacyNotice.title',
      'consent.privacyNotice.version',
      'consent.service',
      'iat',
      'jti',
      'sub',
    ]);
  });

  test('claims whose names look like the paths of others hide no false ones', async () => {
    const { claims } = await receiptOfSomebody(attacked);
    const { service, event, privacyNotice } = claims.consent;
    const notice = { ...privacyNotice, hash: 'f'.repeat(64) };
    const consent = {
      ...claims.consent,
      service: 'medinfo',
      privacyNotice: notice,
      event: { ...event, state: 'withdrawn' },
    };
    const hiding = {
      'consent.service': service,
      'consent.event.state': event.state,
      'consent.privacyNotice.hash': privacyNotice.hash,
    };
    const { kms } = attacked.as(signing);
    const said = { ...claims, consent, ...hiding };
    const answer = await verify(await signCompact(kms, attacked.output('ReceiptKeyArn'), said, receiptType));
    expect(answer).toMatchObject({ valid: false, reason: 'CLAIMS_DIFFER', record: null });
    expect(answer.differs).toEqual(expect.arrayContaining(['consent.event.state', 'consent.service']));
  });

  test('a record that was changed and kept its hash is none of the ledger', async () => {
    const { receipt, Key } = await receiptOfSomebody(attacked);
    const TableName = attacked.table('ConsentRecords');
    const { dynamo } = attacked.owner();
    const { Item } = await dynamo.send(new GetCommand({ TableName, Key }));
    await dynamo.send(new PutCommand({ TableName, Item: { ...Item, action: 'revoked' } }));
    expect(await verify(receipt)).toMatchObject({ valid: false, reason: 'NOT_IN_LEDGER' });
    await dynamo.send(new PutCommand({ TableName, Item: { ...Item } }));
    expect(await verify(receipt)).toMatchObject({ valid: true, differs: [] });
  });
});

test('an operator’s revocation stands, whatever functions do, and its warning comes within seconds', async () => {
  const { receipt } = await receiptOfSomebody(attacked);
  const { kms } = attacked.owner();
  const { kid } = await publicKeyOf(kms, attacked.output('ReceiptKeyArn'));
  const at = new Date(Date.now() - 1000);
  const revoking = {
    kms,
    evidence: evidence(),
    trust: await trust(),
    revocationKeyArn: attacked.output('RevocationKeyArn'),
  };
  const { kid: manifestKid } = await publicKeyOf(kms, attacked.output('ResearchManifestKeyArn'));
  for (const each of [kid, manifestKid]) await revokeKey(revoking, each, at);
  // Another application's function has not asked for keys yet, so that this test waits for no cache.
  const call = await attacked.caller(randomUUID(), 'patient', 'medinfo');
  const { body } = await call('POST', '/agreements/receipts/verify', { receipt });
  expect(body).toMatchObject({ valid: true, warning: { code: 'KEY_REVOKED', since: at.toISOString() } });
  const { keys } = (await call('GET', '/.well-known/jwks.json')).body;
  const revoked = { revoked: { revoked_at: Math.floor(at.getTime() / 1000) } };
  expect(keys).toEqual([kid, manifestKid].map((each) => expect.objectContaining({ kid: each, ...revoked })));
  expect(await checked(sealing, 'ResearchManifestKey', '/v2')).toBe('JWKSNoMatchingKey');
});
