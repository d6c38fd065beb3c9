import { describe, expect, test } from 'vitest';
import { call, signIn } from '../api.ts';
import { issue, signedIn } from './people.ts';

const ask = (authorization?: string) =>
  call('GET', '/auth/tokens/md/access', {
    application: 'medinfo',
    headers: authorization === undefined ? {} : { Authorization: authorization },
  });

describe('200', () => {
  test('for an access token the answer has its remaining time', async () => {
    const { accessToken } = await signedIn('physician');
    const { exp, iat } = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString());
    expect(exp - iat).toBe(900);
    const remaining = () => Math.floor(exp - Date.now() / 1000);
    const most = remaining();
    const { status, body } = await ask(`Bearer ${accessToken}`);
    const least = remaining();
    expect(status).toBe(200);
    expect(body).toEqual({ accessToken, tokenType: 'Bearer', expiresIn: expect.any(Number), refreshToken: null });
    expect(body.expiresIn).toBeLessThanOrEqual(most);
    expect(body.expiresIn).toBeGreaterThanOrEqual(least);
  });

  test('a refresh token is answered with a new access token and the next refresh token', async () => {
    const { accessToken, refreshToken } = await signedIn('physician');
    const { status, body } = await ask(`bearer ${refreshToken}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ tokenType: 'Bearer', expiresIn: 900 });
    expect(body.accessToken).not.toBe(accessToken);
    expect(body.refreshToken).not.toBe(refreshToken);
    expect((await call('GET', '/users/agreements', { token: body.accessToken, application: 'medinfo' })).status).toBe(
      200,
    );
    expect((await issue({ grantType: 'refresh_token', refreshToken: body.refreshToken }, 'medinfo')).status).toBe(200);
  });
});

describe('401', () => {
  // What does not look like an access token counts as a refresh token.
  test.each([
    [undefined, 'UNAUTHENTICATED'],
    ['', 'UNAUTHENTICATED'],
    ['Bearer', 'UNAUTHENTICATED'],
    ['Bearer x', 'INVALID_GRANT'],
    ['Bearer a.b.c', 'UNAUTHENTICATED'],
    ['Bearer a.b.c.d.e', 'INVALID_GRANT'],
    ['Basic eDp5', 'UNAUTHENTICATED'],
    // fetch refuses header values beyond Latin-1; this one is within.
    ['Bearer ü', 'INVALID_GRANT'],
  ])('%j', async (authorization, code) => {
    const { status, body } = await ask(authorization);
    expect([status, body.code, body.detail]).toEqual([401, code, null]);
  });

  test("an altered token, the other application's, and a refresh token that was revoked", async () => {
    const { accessToken, refreshToken } = await signedIn('physician');
    const patient = await signedIn('patient');
    await call('POST', '/auth/tokens/revoke', { body: { refreshToken }, application: 'medinfo' });
    for (const token of [`${accessToken}x`, patient.accessToken]) {
      expect(await ask(`Bearer ${token}`)).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
    }
    for (const token of [patient.refreshToken, refreshToken]) {
      expect(await ask(`Bearer ${token}`)).toMatchObject({ status: 401, body: { code: 'INVALID_GRANT' } });
    }
  });
});

describe('403', () => {
  test('an access token of a user who is not a physician', async () => {
    const token = await signIn({ roles: 'admin', application: 'medinfo' });
    expect(await ask(`Bearer ${token}`)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN', detail: null } });
  });

  test('a refresh token of a user who is not a physician', async () => {
    const { refreshToken } = await signedIn('admin');
    expect(await ask(`Bearer ${refreshToken}`)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });
});

test('404 in the sleep-care application', async () => {
  expect((await call('GET', '/auth/tokens/md/access', { token: 'x' })).status).toBe(404);
});
