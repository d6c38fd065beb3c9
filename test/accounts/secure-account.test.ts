import { expect, test } from 'vitest';
import { call } from '../api.ts';
import { secureTokenIn } from '../mail/token.ts';
import { codeOf, mailNumber, signInMails } from '../mails.ts';
import { newAccount, renew, signInOn, trySignIn } from './people.ts';

const secure = (token: string) => call('POST', '/auth/secure-account', { body: { token } });
const isOpen = async (token: string) => (await call('GET', '/users/me', { token })).status === 200;

test('"this was not me" ends all sessions and the password, once; "Forgot password" opens the account again', async () => {
  const email = await newAccount();
  const owner = await signInOn('Phone', email);
  const thief = await signInOn('Unknown', email);
  const mails = await signInMails(2, email);
  // The one that came first: it makes void the other one, too.
  const ofPhone = secureTokenIn(mails.find(({ text }) => text.includes('Phone'))?.text);

  expect(await secure(ofPhone)).toMatchObject({ status: 200, body: { status: 'secured', addressRestored: false } });
  for (const { accessToken, refreshToken } of [owner, thief]) {
    expect(await isOpen(accessToken)).toBe(false);
    expect((await renew(refreshToken)).status).toBe(401);
  }
  expect((await trySignIn(email)).body).toMatchObject({ code: 'INVALID_CREDENTIALS' });
  expect((await mailNumber(2, email)).subject).toBe('Ihr Konto ist gesichert');

  await call('POST', '/auth/password/forgot', { body: { email } });
  const next = 'another-long-passphrase';
  const reset = { email, code: await codeOf(3, email), password: next };
  expect((await call('POST', '/auth/password/reset', { body: reset })).status).toBe(200);
  const { accessToken } = await signInOn('Phone', email, next);

  // Neither this link nor one that was mailed before does anything more.
  for (const { text } of mails) {
    const again = await secure(secureTokenIn(text));
    expect(again).toMatchObject({ status: 200, body: { status: 'link-used', addressRestored: false } });
  }
  expect(await isOpen(accessToken)).toBe(true);
  // The link of a mail that came later does.
  expect((await secure(secureTokenIn((await mailNumber(4, email)).text))).body).toMatchObject({ status: 'secured' });
  expect(await isOpen(accessToken)).toBe(false);
});
