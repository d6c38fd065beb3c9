import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { call, client } from '../api.ts';
import { codeOf, signInMails } from '../mails.ts';
import { password, signInOn, trySignIn } from './people.ts';

/** SES and Cognito know a domain with umlauts only in its ASCII form; people type it either way. */

test('an address with an umlaut in its domain is one address in each of its spellings', async () => {
  const name = `anna-${randomUUID()}`;
  const [typed, upper, ascii] = ['müller.example', 'MÜLLER.example', 'xn--mller-kva.example'].map(
    (d) => `${name}@${d}`,
  ) as [string, string, string];
  await call('POST', '/users', { body: { email: typed, locale: 'de-DE', timezone: 'Europe/Berlin' } });
  // The mail went to the ASCII form: SES takes no other.
  const body = { email: upper, code: await codeOf(1, ascii), password, birthYear: 1980 };
  expect((await call('POST', '/users/verify', { body })).status).toBe(200);
  const { accessToken: token } = await signInOn('Phone', typed);
  expect((await call('GET', '/users/me', { token })).body.email).toBe(ascii);
  for (const username of [upper, ascii]) expect((await trySignIn(username)).status).toBe(200);
  expect(await signInMails(3, ascii)).toHaveLength(3);
  const admin = await client({ user: 'admin@example.com', roles: 'admin', application: 'medinfo' });
  const found = await admin.get(`/users?email=${encodeURIComponent(upper)}`);
  expect(found.body.items).toMatchObject([{ email: ascii }]);
  const own = await call('PUT', '/users/me/password', {
    token,
    body: { currentPassword: password, password: 'Müller-mail-71' },
  });
  expect(own).toMatchObject({ status: 400, body: { code: 'PASSWORD_REJECTED', detail: { reason: 'own-data' } } });
});
