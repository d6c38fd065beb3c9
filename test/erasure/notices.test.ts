import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { newAccount, signInOn } from '../accounts/people.ts';
import { baseUrl, call, client, isDeployed } from '../api.ts';
import { mailNumber, mailsTo } from '../mails.ts';

/** What the owner of an account learns of its deletion. The first mail to an address has the code of the sign-up. */

const admin = () => client({ user: 'admin@example.com', roles: 'admin', application: 'medinfo' });

async function anAccount() {
  const email = await newAccount();
  const { accessToken: token } = await signInOn('Phone', email);
  const { userId } = (await call('GET', '/users/me', { token })).body;
  return { email, token, userId: String(userId) };
}

test.skipIf(isDeployed()).each([601, 86_400])('no deletion by a sign-in of %i seconds ago', async (seconds) => {
  const query = new URLSearchParams({
    user: randomUUID(),
    application: 'sleepcare',
    roles: 'patient',
    signedInAgo: String(seconds),
  });
  const token = await (await fetch(new URL(`/_local/token?${query}`, baseUrl()))).text();
  expect(await call('DELETE', '/users/me', { token })).toMatchObject({
    status: 403,
    body: { code: 'SIGN_IN_TOO_OLD' },
  });
  // Nothing was recorded.
  expect((await call('GET', '/users/me/erasure', { token })).body.status).toBe('none');
});

test('a deletion is told once, with the time until which it can be taken back; so is taking it back', async () => {
  const { email, token } = await anAccount();
  const { body } = await call('DELETE', '/users/me', { token });
  // The request ended its own session; by a new one it is the same request.
  expect((await call('DELETE', '/users/me', { token })).body.code).toBe('UNAUTHENTICATED');
  const again = (await signInOn('Phone', email)).accessToken;
  expect((await call('DELETE', '/users/me', { token: again })).body).toEqual(body);
  const until = new Intl.DateTimeFormat('de-DE', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone: 'Europe/Berlin',
  }).format(new Date(body.restorableUntil));
  const asked = await mailNumber(2, email);
  expect(asked.subject).toBe('Ihr Konto wird gelöscht');
  expect(asked.text).toContain(until);

  const { accessToken } = await signInOn('Phone', email);
  for (const _ of [1, 2]) expect((await call('POST', '/users/me/restore', { token: accessToken })).status).toBe(200);
  expect((await mailNumber(3, email)).subject).toBe('Ihr Konto bleibt bestehen');
  // The next request is another one.
  await call('DELETE', '/users/me', { token: accessToken });
  expect((await mailNumber(4, email)).subject).toBe('Ihr Konto wird gelöscht');
  expect(await mailsTo(email)).toHaveLength(4);
});

test('a deletion that staff asked for is told, too', async () => {
  const { email, userId } = await anAccount();
  expect((await (await admin()).post(`/users/${userId}/erasure`)).status).toBe(200);
  const { subject, text } = await mailNumber(2, email);
  expect(subject).toBe('Ihr Konto wird gelöscht');
  expect(text).toContain('in Ihrem Namen');
});
