import { execFile } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { hashOf } from '../../functions/consents/rules/record.ts';
import { baseUrl, call, client } from '../api.ts';

const receiptOf = '/users/agreements/marketing/receipt';
const verify = '/agreements/receipts/verify';

async function receipt() {
  const user = await client();
  await user.post('/agreements/versions/marketing-1.0/agree', { body: { locale: 'de', appVersion: '2.1.0' } });
  return { user, ...(await user.get(receiptOf)).body };
}

async function verdict(text: string) {
  const answer = await call('POST', verify, { body: { receipt: text } });
  expect(answer.status).toBe(200);
  return answer.body;
}

/** With one part's JSON written otherwise. */
function rewritten(text: string, part: number, write: (json: string) => string): string {
  const parts = text.split('.');
  parts[part] = Buffer.from(write(Buffer.from(parts[part] ?? '', 'base64url').toString())).toString('base64url');
  return parts.join('.');
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a receipt', () => {
  test('verifies with a JOSE library that knows only the address of the keys', async () => {
    const { receipt: text, record } = await receipt();
    const script = join(import.meta.dirname, 'verify-with-jose.ts');
    const address = `${baseUrl()}/.well-known/jwks.json`;
    const { stdout } = await promisify(execFile)(process.execPath, [script, address, text]);
    const { payload, protectedHeader } = JSON.parse(stdout);
    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'consent-receipt+jwt' });
    expect(payload).toMatchObject({
      iss: 'mobile-health-dev',
      sub: record.userId,
      jti: record.recordId,
      record,
      consent: {
        purpose: 'marketing',
        language: 'de',
        privacyNotice: { hash: record.contentHash, version: 'marketing-1.0' },
        event: { state: 'given', time: record.recordedAt },
      },
    });
    // The record in it can be recomputed by whoever has it.
    expect(hashOf(payload.record)).toBe(record.hash);
  });

  test('is the same for requests at once, and for a later request', async () => {
    const { user, receipt: text, receiptId } = await receipt();
    const again = await Promise.all(Array.from({ length: 8 }, () => user.get(receiptOf)));
    for (const { status, body } of again) {
      expect(status).toBe(200);
      expect(body).toMatchObject({ receiptId, receipt: text });
    }
    const other = await client();
    await other.post('/agreements/versions/marketing-1.0/agree');
    const first = await Promise.all(Array.from({ length: 8 }, () => other.get(receiptOf)));
    expect(new Set(first.map(({ body }) => body.receipt)).size).toBe(1);
  });

  test('of a revocation says so', async () => {
    const { user } = await receipt();
    await user.delete('/users/agreements/marketing/consent');
    const { body } = await user.get(receiptOf);
    expect(body.record).toMatchObject({ action: 'revoked', sequence: 2 });
    const { record } = await verdict(body.receipt);
    expect(record).toEqual(body.record);
  });

  test('404: never agreed', async () => {
    const user = await client();
    expect(await user.get(receiptOf)).toMatchObject({ status: 404, body: { code: 'CONSENT_NOT_FOUND' } });
  });

  test.each(['unknown', 'medinfo-newsletter'])('404: the agreement %s', async (agreementId) => {
    const user = await client();
    const answer = await user.get(`/users/agreements/${agreementId}/receipt`);
    expect(answer).toMatchObject({ status: 404, body: { code: 'AGREEMENT_NOT_FOUND' } });
  });
});

describe('a receipt of any record', () => {
  const history = '/users/agreements/marketing/history';
  const of = ({ recordId }: { recordId: string }) => `${history}/${recordId}/receipt`;

  test('proves the consent after its revocation, and is the one that was asked for before', async () => {
    const { user, receiptId, receipt: first, record } = await receipt();
    await user.delete('/users/agreements/marketing/consent');
    const { items } = (await user.get(history)).body;
    expect(items.map(({ action }: { action: string }) => action)).toEqual(['revoked', 'agreed']);
    const [ofRevocation, ofConsent] = await Promise.all([user.get(of(items[0])), user.get(of(items[1]))]);
    expect(ofConsent).toMatchObject({ status: 200, body: { receiptId, receipt: first, record } });
    expect(await verdict(ofConsent.body.receipt)).toEqual({
      valid: true,
      reason: null,
      differs: [],
      record,
      warning: null,
    });
    expect((await verdict(ofRevocation.body.receipt)).record).toMatchObject({ action: 'revoked' });
    // Whichever way it is asked for.
    expect((await user.get(receiptOf)).body).toEqual(ofRevocation.body);
  });

  test('404: no such record, of another agreement, of another user', async () => {
    const [{ user, record }, other] = await Promise.all([receipt(), receipt()]);
    const answers = await Promise.all([
      user.get(`${history}/no-such-record/receipt`),
      user.get(`${history}/a%23b/receipt`),
      user.get(`/users/agreements/research-data/history/${record.recordId}/receipt`),
      user.get(of(other.record)),
    ]);
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'CONSENT_RECORD_NOT_FOUND', detail: null } });
    }
  });

  test.each(['unknown', 'medinfo-newsletter'])('404: the agreement %s', async (agreementId) => {
    const { user, record } = await receipt();
    const answer = await user.get(`/users/agreements/${agreementId}/history/${record.recordId}/receipt`);
    expect(answer).toMatchObject({ status: 404, body: { code: 'AGREEMENT_NOT_FOUND' } });
  });
});

describe('verifying', () => {
  test('a receipt of ours, without a token, in either application', async () => {
    const { receipt: text, record } = await receipt();
    expect(await verdict(text)).toEqual({ valid: true, reason: null, differs: [], record, warning: null });
    const there = await call('POST', verify, { body: { receipt: text }, application: 'medinfo' });
    expect(there.body).toMatchObject({ valid: true });
  });

  test('an altered one', async () => {
    const { receipt: text } = await receipt();
    const [header = '', payload = '', signature = ''] = text.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    claims.record.action = 'revoked';
    const altered = [
      `${header}.${encoded(claims)}.${signature}`,
      `${header}.${payload}.${'A'.repeat(86)}`,
      `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    ];
    for (const each of altered) {
      expect(await verdict(each)).toEqual({
        valid: false,
        reason: 'BAD_SIGNATURE',
        differs: [],
        record: null,
        warning: null,
      });
    }
  });

  test('has one form: not n − s, and not another spelling of its last character', async () => {
    const { receipt: text } = await receipt();
    const [header = '', payload = '', signature = ''] = text.split('.');
    const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
    const raw = Buffer.from(signature, 'base64url').toString('hex');
    const other = (order - BigInt(`0x${raw.slice(64)}`)).toString(16).padStart(64, '0');
    const negated = Buffer.from(raw.slice(0, 64) + other, 'hex').toString('base64url');
    expect(await verdict(`${header}.${payload}.${negated}`)).toMatchObject({ reason: 'BAD_SIGNATURE' });
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const spelt = alphabet[alphabet.indexOf(signature.at(-1) ?? '') + 1];
    expect(await verdict(`${header}.${payload}.${signature.slice(0, -1)}${spelt}`)).toMatchObject({
      reason: 'MALFORMED',
    });
  });

  test('one that a forger signed, whatever key its header brings', async () => {
    const { receipt: text } = await receipt();
    const [header = '', payload = ''] = text.split('.');
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = publicKey.export({ format: 'jwk' });
    const signedWith = (head: object) => {
      const input = `${encoded(head)}.${payload}`;
      const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${input}.${signature.toString('base64url')}`;
    };
    const ours = JSON.parse(Buffer.from(header, 'base64url').toString());
    expect(await verdict(signedWith(ours))).toMatchObject({ valid: false, reason: 'BAD_SIGNATURE' });
    expect(await verdict(signedWith({ ...ours, jwk }))).toMatchObject({ valid: false, reason: 'BAD_SIGNATURE' });
    // As another environment's would be.
    expect(await verdict(signedWith({ ...ours, kid: 'another' }))).toMatchObject({ reason: 'UNKNOWN_KEY' });
    expect(await verdict(signedWith({ ...ours, typ: 'ledger-checkpoint+jwt' }))).toMatchObject({
      reason: 'WRONG_TYPE',
    });
  });

  test.each<[string, (receipt: string) => string]>([
    ['nothing', () => ''],
    ['alg none', (text) => `${encoded({ alg: 'none', typ: 'consent-receipt+jwt' })}.${text.split('.')[1]}.`],
    ['alg HS256', (text) => `${encoded({ alg: 'HS256', kid: 'k' })}.${text.split('.')[1]}.${'A'.repeat(86)}`],
    ['no signature', (text) => text.split('.').slice(0, 2).join('.')],
    ['half of it', (text) => text.slice(0, text.length / 2)],
    [
      'a critical extension',
      (text) => `${encoded({ alg: 'ES256', kid: 'k', crit: ['b64'] })}.${text.split('.')[1]}.${'A'.repeat(86)}`,
    ],
    ['a payload that is no object', (text) => `${text.split('.')[0]}.${encoded([1])}.${'A'.repeat(86)}`],
    ['a claim that is there twice', (text) => rewritten(text, 1, (json) => `{"sub":"x",${json.slice(1)}`)],
    ['a key that is named twice', (text) => rewritten(text, 0, (json) => `{"kid":"x",${json.slice(1)}`)],
    ['other white space than ours', (text) => rewritten(text, 1, (json) => ` ${json}`)],
    ['another alphabet', (text) => `${text.slice(0, -1)}=`],
    ['white space', (text) => ` ${text}`],
    ['1 MB of brackets', () => '['.repeat(1_000_000)],
  ])('%s is malformed', async (_name, make) => {
    const { receipt: text } = await receipt();
    expect(await verdict(make(text))).toEqual({
      valid: false,
      reason: 'MALFORMED',
      differs: [],
      record: null,
      warning: null,
    });
  });

  test.each<[string, unknown, number]>([
    ['no receipt', {}, 400],
    ['a number', { receipt: 1 }, 400],
    ['brackets in place of the body', `${'['.repeat(500_000)}${']'.repeat(500_000)}`, 400],
    ['more than a megabyte', { receipt: 'a'.repeat(1_100_000) }, 413],
  ])('%s is refused', async (_name, body, status) => {
    expect((await call('POST', verify, { body })).status).toBe(status);
  });
});

test('the keys are public, the same in both applications, and may be kept for minutes', async () => {
  // A key is published before the first receipt that it signs.
  await receipt();
  const { status, headers, body } = await call('GET', '/.well-known/jwks.json');
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('public, max-age=300');
  const key = {
    kty: 'EC',
    crv: 'P-256',
    x: expect.any(String),
    y: expect.any(String),
    kid: expect.any(String),
    alg: 'ES256',
    use: 'sig',
  };
  expect(body.keys).toEqual([
    { ...key, signs: 'consent-receipt+jwt' },
    { ...key, signs: 'research-export+jwt' },
  ]);
  expect((await call('GET', '/.well-known/jwks.json', { application: 'medinfo' })).body).toEqual(body);
});
