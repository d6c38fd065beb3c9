import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JwtRsaVerifier } from 'aws-jwt-verify';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { seededUsers } from '../../../functions/product.ts';
import { type Issuer, startIssuer, UnknownName } from '../../../lib/local/identity/issuer.ts';
import { answerToken } from '../../../lib/local/identity/token-route.ts';
import { identityModel, poolIds } from './model.ts';

/** For tests that leave it as it is: each start makes two RSA keys. */
const shared = await startIssuer({ model: () => identityModel });
afterAll(() => shared.close());

async function issuer(options: Partial<Parameters<typeof startIssuer>[0]>): Promise<Issuer> {
  const started = await startIssuer({ model: () => identityModel, ...options });
  onTestFinished(started.close);
  return started;
}

function verifier(url: string, poolId: string, clientId: string) {
  return JwtRsaVerifier.create({
    issuer: `https://cognito-idp.eu-central-1.amazonaws.com/${poolId}`,
    audience: null,
    jwksUri: `${url}/${poolId}/.well-known/jwks.json`,
    customJwtCheck: ({ payload }) => {
      if (payload.client_id !== clientId || payload.token_use !== 'access') throw new Error('not for this client');
    },
  });
}

async function claims(url: string, token: string, poolId: string = poolIds.sleepcare, clientId = 'appclient') {
  const { keys } = (await (await fetch(`${url}/${poolId}/.well-known/jwks.json`)).json()) as { keys: object[] };
  const checked = verifier(url, poolId, clientId);
  checked.cacheJwks({ keys } as Parameters<typeof checked.cacheJwks>[0]);
  return checked.verify(token);
}

const patient = { application: 'sleepcare', user: 'patient@example.com', roles: ['patient'] };

describe('an access token', () => {
  test('verifies with the library that the authorizer uses, and is shaped as Cognito shapes it', async () => {
    const { url, token } = shared;
    const payload = await claims(url, await token(patient));
    const id = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(payload).toEqual({
      sub: expect.stringMatching(/^[0-9a-f-]{36}$/),
      'cognito:groups': ['patient'],
      iss: `https://cognito-idp.eu-central-1.amazonaws.com/${poolIds.sleepcare}`,
      client_id: 'appclient',
      origin_jti: id,
      event_id: id,
      token_use: 'access',
      auth_time: payload.iat,
      iat: expect.any(Number),
      exp: Number(payload.iat) + 900,
      jti: id,
      username: payload.sub,
    });
  });

  test('of another pool does not verify, nor one that was altered', async () => {
    const { url, token } = shared;
    const foreign = await token({ application: 'medinfo', user: 'admin@example.com', roles: ['admin'] });
    await expect(claims(url, foreign)).rejects.toThrow();
    const [header, , signature] = (await token(patient)).split('.');
    const other = Buffer.from(JSON.stringify({ ...patient, exp: 9_999_999_999 })).toString('base64url');
    await expect(claims(url, `${header}.${other}.${signature}`)).rejects.toThrow();
  });

  test('that has expired was issued before it did', async () => {
    const { url, token } = shared;
    await expect(claims(url, await token({ ...patient, expiresIn: -10 }))).rejects.toThrow(/expired/i);
  });

  test('of a user in no group has no groups claim', async () => {
    const { url, token } = shared;
    expect(await claims(url, await token({ ...patient, roles: [] }))).not.toHaveProperty('cognito:groups');
  });

  test('outlives a restart where the data is kept, and no other', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'identity-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    const token = await (await issuer({ dataDir })).token(patient);
    await expect(claims((await issuer({ dataDir })).url, token)).resolves.toBeTruthy();
    await expect(claims(shared.url, token)).rejects.toThrow();
  });
});

describe('a subject', () => {
  test('is the user’s own UUID, or one that follows from the name and the pool', async () => {
    const { subject } = shared;
    const own = '0f8fad5b-d9cb-469f-a165-70867728950e';
    expect(await subject('sleepcare', own.toUpperCase())).toBe(own);
    expect(await subject('sleepcare', 'u')).toBe(await subject('sleepcare', 'u'));
    expect(await subject('sleepcare', 'u')).not.toBe(await subject('sleepcare', 'v'));
    expect(await subject('sleepcare', 'u')).not.toBe(await subject('medinfo', 'u'));
  });
});

describe('what the template does not have', () => {
  test.each([
    [{ ...patient, application: 'elsewhere' }, 'There is no application "elsewhere"; known: sleepcare, medinfo.'],
    [{ ...patient, roles: ['admin'] }, 'There is no role "admin"; known: patient, developer.'],
    [{ ...patient, client: 'web' }, 'There is no client "web"; known: mobile-app, developer-tools.'],
  ])('%j', async (request, message) => {
    const { token } = shared;
    await expect(token(request)).rejects.toThrow(UnknownName);
    await expect(token(request)).rejects.toThrow(message);
  });

  test('an unknown pool’s keys are a 404', async () => {
    const { url } = shared;
    expect((await fetch(`${url}/eu-central-1_nothing/.well-known/jwks.json`)).status).toBe(404);
  });
});

describe('GET /_local/token', () => {
  const ask = async (query: string) => answerToken(new URLSearchParams(query), shared, seededUsers);
  const payload = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

  test.each<[string, object]>([
    ['user=patient@example.com', { 'cognito:groups': ['patient'], client_id: 'appclient' }],
    ['user=admin@example.com', { 'cognito:groups': ['admin'] }],
    ['user=developer@example.com&application=medinfo', { 'cognito:groups': ['developer'] }],
    ['user=x&application=sleepcare&roles=patient,developer', { 'cognito:groups': ['patient', 'developer'] }],
    ['user=patient@example.com&client=developer-tools', { client_id: 'toolsclient' }],
  ])('%s', async (query, expected) => {
    const { status, text } = await ask(query);
    expect(status).toBe(200);
    expect(payload(text)).toMatchObject(expected);
  });

  test('expiresIn', async () => {
    const { exp, iat } = payload((await ask('user=patient@example.com&expiresIn=60')).text);
    expect(exp - iat).toBe(60);
  });

  test.each([
    ['', 'The parameter user is missing: ?user=patient@example.com'],
    ['user=x', 'The parameter application is missing; one of sleepcare, medinfo.'],
    ['user=x&application=y', 'There is no application "y"; known: sleepcare, medinfo.'],
    ['user=x&application=sleepcare&roles=boss', 'There is no role "boss"; known: patient, developer.'],
    ['user=x&application=sleepcare&client=web', 'There is no client "web"; known: mobile-app, developer-tools.'],
    ['user=patient@example.com&expiresIn=soon', 'expiresIn must be a whole number of seconds, not "soon".'],
    ['user=patient@example.com&role=patient', 'There is no parameter "role"; known: '],
  ])('400 for %j', async (query, message) => {
    const { status, text } = await ask(query);
    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
  });
});
