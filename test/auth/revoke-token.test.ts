import { describe, expect, test } from 'vitest';
import { newAccount, signInOn } from '../accounts/people.ts';
import { call } from '../api.ts';
import { issue, signedIn } from './people.ts';

const revoke = (body: unknown) => call('POST', '/auth/tokens/revoke', { body });
const renew = (refreshToken: string) => issue({ grantType: 'refresh_token', refreshToken });

describe('200', () => {
  test('ends the renewal, and the access token', async () => {
    const { accessToken, refreshToken } = await signedIn('patient');
    expect(await revoke({ refreshToken })).toMatchObject({ status: 200, body: { success: true } });
    expect((await renew(refreshToken)).status).toBe(401);
    expect((await call('GET', '/users/agreements', { token: accessToken })).status).toBe(401);
  });

  test('ends it also for the token that was replaced a moment ago, and for no other session of the user', async () => {
    const first = await signedIn('patient');
    const other = await signedIn('patient');
    const { body: next } = await renew(first.refreshToken);
    await revoke({ refreshToken: next.refreshToken });
    expect((await renew(next.refreshToken)).status).toBe(401);
    expect((await renew(first.refreshToken)).status).toBe(401);
    expect((await renew(other.refreshToken)).status).toBe(200);
  });

  test('again is a success too', async () => {
    const { refreshToken } = await signedIn('patient');
    await revoke({ refreshToken });
    expect(await revoke({ refreshToken })).toMatchObject({ status: 200, body: { success: true } });
  });

  test.each(['x', 'a.b.c', 'a.b.c.d.e', 'ü', ' '])('an unknown token, or what is none: %j', async (refreshToken) => {
    expect(await revoke({ refreshToken })).toMatchObject({ status: 200, body: { success: true } });
  });
});

test('the session leaves the list, also by a token that was replaced a moment ago; others stay', async () => {
  const email = await newAccount();
  const phone = await signInOn('Phone', email);
  const tablet = await signInOn('Tablet', email);
  const desk = await signInOn('Desk', email);
  const devices = async () => {
    const { body } = await call('GET', '/auth/sessions', { token: phone.accessToken });
    return body.items.map(({ device }: { device: string }) => device).toSorted();
  };
  expect(await devices()).toEqual(['Desk', 'Phone', 'Tablet']);
  expect((await revoke({ refreshToken: tablet.refreshToken })).status).toBe(200);
  expect(await devices()).toEqual(['Desk', 'Phone']);
  const renewed = await renew(desk.refreshToken);
  expect((await revoke({ refreshToken: desk.refreshToken })).status).toBe(200);
  expect(await devices()).toEqual(['Phone']);
  expect((await renew(renewed.body.refreshToken)).status).toBe(401);
  expect((await renew(phone.refreshToken)).status).toBe(200);
});

test.each([
  ['nothing', undefined],
  ['another field', { token: 'canary' }],
  ['no text', { refreshToken: ['canary'] }],
  ['no end', { refreshToken: 'canary'.repeat(2000) }],
])('400: %s', async (_name, body) => {
  const answer = await revoke(body);
  expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  expect(JSON.stringify(answer.body)).not.toContain('canary');
});
