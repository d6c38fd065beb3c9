import { expect, test } from 'vitest';
import { type Answer, call } from '../api.ts';
import { newAccount, password, signInOn, trySignIn } from './people.ts';

const next = 'another-long-passphrase';

function change(token: string, currentPassword: string): Promise<Answer> {
  return call('PUT', '/users/me/password', { token, body: { currentPassword, password: next } });
}

test('the token of an ended session changes nothing, and what it tries is not counted', async () => {
  const email = await newAccount();
  const [phone, tablet] = [await signInOn('Phone', email), await signInOn('Tablet', email)];
  const token = phone.accessToken;
  const { status } = await call('POST', '/auth/tokens/revoke', { body: { refreshToken: phone.refreshToken } });
  expect(status).toBe(200);

  const unauthenticated = { status: 401, body: { code: 'UNAUTHENTICATED' } };
  for (let index = 0; index < 11; index += 1) {
    // Neither answer says whether the password is the right one.
    expect(await change(token, index % 2 === 0 ? password : 'a-wrong-passphrase')).toMatchObject(unauthenticated);
  }
  expect(await call('POST', '/users/me/second-factor', { token, body: { password } })).toMatchObject(unauthenticated);
  const code = { password, code: '123456' };
  expect(await call('POST', '/users/me/second-factor/verify', { token, body: code })).toMatchObject(unauthenticated);
  expect(await call('POST', '/users/me/second-factor/remove', { token, body: { password } })).toMatchObject(
    unauthenticated,
  );
  expect(await change(tablet.accessToken, 'a-wrong-passphrase')).toMatchObject({ body: { code: 'PASSWORD_WRONG' } });
  expect((await change(tablet.accessToken, password)).status).toBe(200);
  // The same request again, after a lost answer.
  expect((await change(tablet.accessToken, password)).status).toBe(200);
  expect((await trySignIn(email, next)).status).toBe(200);
});

test('ten wrong passwords of a live session are answered as wrong; then it is locked, also for the right one', async () => {
  const { accessToken } = await signInOn('Phone', await newAccount());
  const wrong = { status: 400, body: { code: 'PASSWORD_WRONG' } };
  for (let index = 0; index < 10; index += 1)
    expect(await change(accessToken, `a-wrong-one-${index}`)).toMatchObject(wrong);
  expect(await change(accessToken, password)).toMatchObject({ status: 429, body: { code: 'SIGN_IN_LOCKED' } });
});
