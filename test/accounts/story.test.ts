import { expect, test } from 'vitest';
import { call } from '../api.ts';
import { codeOf, mailNumber, newAddress, signInMails } from '../mails.ts';
import { newAccount, password, renew, signInOn, trySignIn } from './people.ts';

test('an account: sign up, two phones, end one session, a new password, another address, delete and restore', async () => {
  const email = await newAccount();
  const phone = await signInOn('Phone', email);
  const me = await call('GET', '/users/me', { token: phone.accessToken });
  expect(me.body).toMatchObject({ email, locale: 'de-DE', timezone: 'Europe/Berlin', roles: ['patient'] });

  const tablet = await signInOn('Tablet', email);
  expect((await signInMails(2, email)).map(({ text }) => text.includes('Tablet')).toSorted()).toEqual([false, true]);
  const { body } = await call('GET', '/auth/sessions', { token: phone.accessToken });
  // Newest first, by the second of the sign-in: these two may be of the same one.
  const on = (name: string) => body.items.find(({ device }: { device: string }) => device === name);
  expect(body.items).toHaveLength(2);
  expect(on('Tablet')).toMatchObject({ appVersion: '2.4.1', isCurrent: false });
  expect(on('Phone')).toMatchObject({ appVersion: '2.4.1', isCurrent: true });
  const ended = await call('DELETE', `/auth/sessions/${on('Tablet').sessionId}`, { token: phone.accessToken });
  expect(ended).toMatchObject({ status: 200, body: { success: true } });
  expect(await renew(tablet.refreshToken)).toMatchObject({ status: 401, body: { code: 'INVALID_GRANT' } });
  const renewed = await renew(phone.refreshToken);
  expect(renewed.status).toBe(200);

  expect((await call('POST', '/auth/password/forgot', { body: { email } })).status).toBe(202);
  const next = 'another-long-passphrase';
  const reset = { email, code: await codeOf(2, email), password: next };
  expect((await call('POST', '/auth/password/reset', { body: reset })).status).toBe(200);
  // In the account's language, as nobody named one.
  expect((await mailNumber(2, email)).subject).toContain('Passwort');
  expect((await mailNumber(3, email)).subject).toContain('Passwort');
  expect((await renew(renewed.body.refreshToken)).status).toBe(401);
  expect((await trySignIn(email, password)).status).toBe(401);
  // A code is of use once.
  expect((await call('POST', '/auth/password/reset', { body: reset })).body).toMatchObject({ code: 'CODE_INVALID' });

  const first = await signInOn('Phone', email, next);
  const token = first.accessToken;
  const other = newAddress();
  expect((await call('POST', '/users/me/email', { token, body: { password: next, email: other } })).status).toBe(202);
  const changed = await call('POST', '/users/me/email/verify', {
    token,
    body: { email: other, code: await codeOf(1, other) },
  });
  expect(changed).toMatchObject({ status: 200, body: { email: other } });
  expect((await mailNumber(4, email)).subject).toContain('Adresse');
  expect((await call('GET', '/users/me', { token })).body.email).toBe(other);
  expect((await trySignIn(email, next)).status).toBe(401);

  const { body: closed } = await call('DELETE', '/users/me', { token });
  expect(closed).toMatchObject({ status: 'requested', endedAt: expect.any(String) });
  // The request ended the session that made it; of a new session the closed account refuses what changes it.
  const change = (by: string) => call('PATCH', '/users/me', { token: by, body: { locale: 'de' } });
  expect((await change(token)).body.code).toBe('UNAUTHENTICATED');
  const back = await signInOn('Phone', other, next);
  expect((await change(back.accessToken)).body.code).toBe('ACCOUNT_CLOSED');
  const restored = await call('POST', '/users/me/restore', { token: back.accessToken });
  expect(restored).toMatchObject({ status: 200, body: { status: 'none', restoredAt: expect.any(String) } });
  expect(await change(back.accessToken)).toMatchObject({ status: 200, body: { email: other, locale: 'de' } });
  // The session that asked for the deletion ended with it, and is in the list no more.
  const { items } = (await call('GET', '/auth/sessions', { token: back.accessToken })).body;
  expect(items).toMatchObject([{ device: 'Phone', isCurrent: true }]);
  expect((await renew(first.refreshToken)).status).toBe(401);
  expect((await renew(back.refreshToken)).status).toBe(200);
});
