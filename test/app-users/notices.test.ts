import { expect, test } from 'vitest';
import { newAccount, signInOn, trySignIn } from '../accounts/people.ts';
import { call, client } from '../api.ts';
import { mailNumber, mailsTo } from '../mails.ts';

/** What a user learns of an account that an administrator disables or enables. The first mail to an address has the code of the sign-up. */

const admin = () => client({ user: 'admin@example.com', roles: 'admin', application: 'medinfo' });

async function anAccount() {
  const email = await newAccount();
  const { accessToken: token } = await signInOn('Phone', email);
  const { userId } = (await call('GET', '/users/me', { token })).body;
  return { email, userId: String(userId) };
}

test('who is disabled learns it by mail, after the right password alone, and from the mail of a reset', async () => {
  const { email, userId } = await anAccount();
  const { post } = await admin();
  for (const _ of [1, 2]) expect((await post(`/users/${userId}/disable`)).body.status).toBe('disabled');
  expect((await mailNumber(2, email)).subject).toBe('Ihr Konto wurde gesperrt');

  const disabled = { status: 401, body: { code: 'ACCOUNT_DISABLED', detail: null } };
  expect(await trySignIn(email)).toMatchObject(disabled);
  expect(await trySignIn(email, 'not-the-password')).toMatchObject({
    status: 401,
    body: { code: 'INVALID_CREDENTIALS' },
  });
  expect((await call('POST', '/auth/password/forgot', { body: { email } })).status).toBe(202);
  const reset = await mailNumber(3, email);
  expect(reset).toMatchObject({ subject: 'Ihr Konto ist gesperrt', code: null });
  const guess = { email, code: '123456', password: 'another-long-passphrase' };
  expect((await call('POST', '/auth/password/reset', { body: guess })).body.code).toBe('CODE_INVALID');

  expect((await post(`/users/${userId}/enable`)).body.status).toBe('active');
  expect((await mailNumber(4, email)).subject).toBe('Ihr Konto ist wieder offen');
  await signInOn('Phone', email);
  await call('POST', '/auth/password/forgot', { body: { email } });
  expect((await mailNumber(5, email)).code).toMatch(/^\d{6}$/);
});

test('who was never disabled hears of no enabling, and the other application says nothing of an account here', async () => {
  const { email, userId } = await anAccount();
  const { post } = await admin();
  expect((await post(`/users/${userId}/enable`)).body.status).toBe('active');
  expect((await post(`/users/${userId}/disable`)).body.status).toBe('disabled');
  expect((await mailNumber(2, email)).subject).toBe('Ihr Konto wurde gesperrt');
  expect(await mailsTo(email)).toHaveLength(2);
  const body = { grantType: 'password', username: email, password: 'a-long-first-passphrase' };
  expect(await call('POST', '/auth/tokens', { body, application: 'medinfo' })).toMatchObject({
    status: 401,
    body: { code: 'INVALID_CREDENTIALS' },
  });
});
