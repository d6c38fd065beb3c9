import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sealedSession } from '../../functions/auth/stores/waiting-sign-ins.ts';
import { call, isDeployed } from '../api.ts';
import { issue, person, signedIn } from './people.ts';

const invalidCredentials = {
  code: 'INVALID_CREDENTIALS',
  message: 'The user name or the password is wrong.',
  detail: null,
};
const invalidGrant = { code: 'INVALID_GRANT', message: expect.stringMatching(/^The refresh token or /), detail: null };
const tokens = {
  accessToken: expect.stringMatching(/^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+$/),
  tokenType: 'Bearer',
  expiresIn: 900,
  refreshToken: expect.stringMatching(/^[\w.-]{100,}$/),
};

describe('200', () => {
  test('a password gives tokens, and the access token is let in', async () => {
    const { status, body, headers } = await issue({ grantType: 'password', ...person('patient') });
    expect([status, body]).toEqual([200, tokens]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await call('GET', '/users/agreements', { token: body.accessToken })).status).toBe(200);
  });

  test('fields of other grants are ignored: a generated client may send them as null', async () => {
    const others = { refreshToken: null, session: '', code: 4711 };
    expect((await issue({ grantType: 'password', ...person('patient'), ...others })).status).toBe(200);
  });

  test('the e-mail address is read in any case', async () => {
    const { username, password } = person('patient');
    expect((await issue({ grantType: 'password', username: username.toUpperCase(), password })).status).toBe(200);
  });

  test('each application signs in its own users', async () => {
    const grant = { grantType: 'password', ...person('physician') };
    const { status, body } = await issue(grant, 'medinfo');
    expect([status, body]).toEqual([200, tokens]);
    expect((await issue(grant, 'sleepcare')).status).toBe(401);
    expect((await call('GET', '/users/agreements', { token: body.accessToken })).status).toBe(401);
  });

  test('a refresh token gives a new access token of the same user, and the next refresh token', async () => {
    const first = await signedIn('patient');
    const { status, body } = await issue({ grantType: 'refresh_token', refreshToken: first.refreshToken });
    expect([status, body]).toEqual([200, tokens]);
    expect(body.refreshToken).not.toBe(first.refreshToken);
    expect(subjectOf(body.accessToken)).toBe(subjectOf(first.accessToken));
    expect((await call('GET', '/users/agreements', { token: body.accessToken })).status).toBe(200);
    expect((await issue({ grantType: 'refresh_token', refreshToken: body.refreshToken })).status).toBe(200);
  });

  test('a repeated renewal, as after a lost answer, works for a while', async () => {
    const { refreshToken } = await signedIn('patient');
    const grant = { grantType: 'refresh_token', refreshToken };
    const [one, other] = await Promise.all([issue(grant), issue(grant)]);
    expect([one.status, other.status]).toEqual([200, 200]);
  });
});

describe('400', () => {
  const { username } = { username: 'patient@example.com' };
  const secret = 'canary-4711';
  test.each([
    ['nothing', undefined, ''],
    ['no grant type', { username, password: secret }, 'grantType'],
    ['an unknown grant type', { grantType: secret, username }, 'grantType'],
    ['no password', { grantType: 'password', username }, 'password'],
    ['a password that is no text', { grantType: 'password', username, password: [secret] }, 'password'],
    ['a blank password', { grantType: 'password', username, password: '  ' }, 'password'],
    ['a password without end', { grantType: 'password', username, password: secret.repeat(100) }, 'password'],
    ['a user name without end', { grantType: 'password', username: secret.repeat(100), password: 'p' }, 'username'],
    ['a user name with a space', { grantType: 'password', username: `${secret} x`, password: 'p' }, 'username'],
    ['an empty user name', { grantType: 'password', username: '', password: secret }, 'username'],
    ['a refresh token that is no text', { grantType: 'refresh_token', refreshToken: { secret } }, 'refreshToken'],
    ['a refresh token without end', { grantType: 'refresh_token', refreshToken: secret.repeat(1000) }, 'refreshToken'],
    ['a code of letters', { grantType: 'totp', session: 's'.repeat(20), code: secret }, 'code'],
    ['a code as a number', { grantType: 'totp', session: 's'.repeat(20), code: 123456 }, 'code'],
    ['a short session', { grantType: 'totp_setup', session: secret, code: '123456' }, 'session'],
  ])('%s', async (_name, body, path) => {
    const answer = await issue(body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(answer.body.detail.issues.map((each: { path: string }) => each.path)).toEqual([path]);
    expect(JSON.stringify(answer.body)).not.toContain(secret);
  });

  test('broken JSON, and a text that is not JSON', async () => {
    const password = 'canary-4711';
    const broken = await issue(`{"grantType":"password","password":"${password}"`);
    expect(broken).toMatchObject({ status: 400, body: { code: 'MALFORMED_JSON', detail: null } });
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const form = await call('POST', '/auth/tokens', { body: `grant_type=password&password=${password}`, headers });
    expect(form).toMatchObject({ status: 400, body: { code: 'UNSUPPORTED_CONTENT_TYPE' } });
    expect(JSON.stringify([broken.body, form.body])).not.toContain(password);
  });
});

describe('401', () => {
  test('a wrong password and an unknown user get the same answer', async () => {
    const { username } = person('patient');
    const wrong = await issue({ grantType: 'password', username, password: 'not-the-password' });
    const unknown = await issue({ grantType: 'password', username: `x${username}`, password: 'not-the-password' });
    expect([wrong.status, wrong.body]).toEqual([401, invalidCredentials]);
    expect([unknown.status, unknown.body]).toEqual([401, invalidCredentials]);
    const shape = ({ headers }: typeof wrong) => [...headers.keys()].sort();
    expect(shape(wrong)).toEqual(shape(unknown));
  });

  test.each(['x', 'a.b.c', 'a.b.c.d.e', 'ü', ' '])('a refresh token that is none: %j', async (refreshToken) => {
    const { status, body } = await issue({ grantType: 'refresh_token', refreshToken });
    expect([status, body]).toEqual([401, invalidGrant]);
  });

  test("an access token, and another application's refresh token, renew nothing", async () => {
    const { accessToken, refreshToken } = await signedIn('patient');
    expect((await issue({ grantType: 'refresh_token', refreshToken: accessToken })).status).toBe(401);
    expect((await issue({ grantType: 'refresh_token', refreshToken }, 'medinfo')).status).toBe(401);
  });

  test.each(['totp', 'totp_setup'])('a session that is none, by its form or to Cognito: %s', async (grantType) => {
    const pending = { username: person('patient').username, session: 'no-session-at-all-of-ours' };
    const unknown = sealedSession({ secret: ['k'.repeat(64)], application: 'sleepcare' }, pending);
    for (const session of ['no-session-at-all-of-ours', 'ü'.repeat(20), unknown]) {
      const { status, body } = await issue({ grantType, session, code: '123456' });
      expect([status, body]).toEqual([401, invalidGrant]);
    }
  });
});

// On a deployed stage `call` would wait for the end of the lock, a quarter of an hour.
test.skipIf(isDeployed())('the lock counts the address of the connection, whatever a header says', async () => {
  const username = `${randomUUID()}@example.com`;
  const tries = async (index: number) => {
    const headers = { 'X-Forwarded-For': `192.0.2.${index}`, Forwarded: `for=192.0.2.${index}` };
    return (
      await call('POST', '/auth/tokens', {
        headers,
        body: { grantType: 'password', username, password: 'wrong-passphrase' },
      })
    ).body.code;
  };
  const codes: string[] = [];
  for (let index = 0; index < 11; index += 1) codes.push(await tries(index));
  expect(codes).toEqual([...Array.from({ length: 10 }, () => 'INVALID_CREDENTIALS'), 'SIGN_IN_LOCKED']);
});

function subjectOf(token: string): string {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sub;
}
