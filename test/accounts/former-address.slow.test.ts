import { expect, test } from 'vitest';
import { call } from '../api.ts';
import { eventually } from '../eventually.ts';
import { secureTokenIn } from '../mail/token.ts';
import { codeOf, mailNumber, newAddress, signInMails } from '../mails.ts';
import { newAccount, password, signInOn, trySignIn } from './people.ts';

/** A thief who knows the password changes the address: the owner takes it back from the old one. */

const secure = (token: string) => call('POST', '/auth/secure-account', { body: { token } });

async function changeTo(token: string, email: string, typed = password) {
  await call('POST', '/users/me/email', { token, body: { password: typed, email } });
  return call('POST', '/users/me/email/verify', { token, body: { email, code: await codeOf(1, email) } });
}

const linkOf = async (number: number, address: string) => secureTokenIn((await mailNumber(number, address)).text);

async function resetOn(email: string, number: number, next: string) {
  await call('POST', '/auth/password/forgot', { body: { email } });
  const body = { email, code: await codeOf(number, email), password: next };
  return call('POST', '/auth/password/reset', { body });
}

test('the account has its address again, and the other one opens nothing', async () => {
  const email = await newAccount();
  const thief = await signInOn('Unknown', email);
  const other = newAddress();
  expect((await changeTo(thief.accessToken, other)).status).toBe(200);
  const link = await linkOf(2, email);
  expect(await secure(link)).toMatchObject({ status: 200, body: { status: 'secured', addressRestored: true } });
  expect((await call('GET', '/users/me', { token: thief.accessToken })).status).toBe(401);
  expect((await mailNumber(2, other)).subject).toContain('frühere Adresse');
  expect((await mailNumber(3, email)).subject).toBe('Ihr Konto ist gesichert');

  const securedBy = Date.now();
  expect((await resetOn(email, 4, 'the-owners-passphrase')).status).toBe(200);
  // A sign-in is dated by whole seconds: one of the same second could be the thief's.
  const accessToken = await eventually(async () => {
    const signedIn = await signInOn('Phone', email, 'the-owners-passphrase');
    const { auth_time: at } = JSON.parse(Buffer.from(signedIn.accessToken.split('.')[1] ?? '', 'base64url').toString());
    expect(at * 1000).toBeGreaterThan(securedBy);
    return signedIn.accessToken;
  });
  expect((await call('GET', '/users/me', { token: accessToken })).body.email).toBe(email);
  for (const tried of [password, 'the-owners-passphrase']) expect((await trySignIn(other, tried)).status).toBe(401);
  expect((await secure(link)).body).toEqual({ status: 'link-used', addressRestored: false });
  // The owner can go on to another address.
  expect((await changeTo(accessToken, newAddress(), 'the-owners-passphrase')).status).toBe(200);
});

test('after two changes the first address is the owner’s, whoever used the later link', async () => {
  const email = await newAccount();
  const thief = await signInOn('Unknown', email);
  const [second, third] = [newAddress(), newAddress()];
  expect((await changeTo(thief.accessToken, second)).status).toBe(200);
  expect((await changeTo(thief.accessToken, third)).status).toBe(200);
  const [ofOwner, ofThief] = [await linkOf(2, email), await linkOf(2, second)];
  expect((await secure(ofThief)).body).toEqual({ status: 'secured', addressRestored: true });
  expect((await secure(ofOwner)).body).toEqual({ status: 'secured', addressRestored: true });
  expect((await secure(ofThief)).body).toEqual({ status: 'link-used', addressRestored: false });
  expect((await resetOn(email, 4, 'the-owners-passphrase')).status).toBe(200);
  const { accessToken } = await signInOn('Phone', email, 'the-owners-passphrase');
  expect((await call('GET', '/users/me', { token: accessToken })).body.email).toBe(email);
});

test('the owner goes first, and the link to the later address does nothing more', async () => {
  const email = await newAccount();
  const thief = await signInOn('Unknown', email);
  const [second, third] = [newAddress(), newAddress()];
  await changeTo(thief.accessToken, second);
  await changeTo(thief.accessToken, third);
  expect((await secure(await linkOf(2, email))).body).toEqual({ status: 'secured', addressRestored: true });
  expect((await secure(await linkOf(2, second))).body).toEqual({ status: 'link-used', addressRestored: false });
  // Nor does the link of the sign-in.
  const [mail] = await signInMails(1, email);
  expect((await secure(secureTokenIn(mail?.text))).body.status).toBe('link-used');
});

test('the owner goes back by hand, and the mail to the address of the thief gives nothing back', async () => {
  const email = await newAccount();
  const thief = await signInOn('Unknown', email);
  const other = newAddress();
  await changeTo(thief.accessToken, other);
  const owner = await signInOn('Phone', other);
  const asked = await call('POST', '/users/me/email', { token: owner.accessToken, body: { password, email } });
  expect([asked.status, asked.body.code]).toEqual([202, undefined]);
  const back = { email, code: await codeOf(3, email) };
  const verified = await call('POST', '/users/me/email/verify', { token: owner.accessToken, body: back });
  expect(verified.status).toBe(200);
  // For a day it signs out, as a link of any other mail does.
  expect((await secure(await linkOf(2, other))).body).toEqual({ status: 'secured', addressRestored: false });
  expect((await resetOn(email, 5, 'the-owners-passphrase')).status).toBe(200);
  expect((await trySignIn(email, 'the-owners-passphrase')).status).toBe(200);
});

test('as long as the account can have the address back, no other account gets it', async () => {
  const email = await newAccount();
  const thief = await signInOn('Unknown', email);
  await changeTo(thief.accessToken, newAddress());
  const link = await linkOf(2, email);
  // The thief has the mailbox, too: a new account with the address would make the link worthless.
  await call('POST', '/users', { body: { email, locale: 'de' } });
  const { accessToken: token } = await signInOn('Phone', await newAccount());
  await call('POST', '/users/me/email', { token, body: { password, email } });
  for (const number of [3, 4])
    expect(await mailNumber(number, email)).toMatchObject({ subject: expect.stringContaining('frei'), code: null });
  expect((await secure(link)).body).toEqual({ status: 'secured', addressRestored: true });
  expect((await call('GET', '/users/me', { token: thief.accessToken })).status).toBe(401);
});

test('a link in another application, a changed one and no link at all do nothing', async () => {
  const email = await newAccount();
  const { accessToken } = await signInOn('Phone', email);
  const token = secureTokenIn((await signInMails(1, email))[0]?.text);
  const changed = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`;
  const answers = [
    await secure(changed),
    await secure(`01234567.${token.slice(9)}`),
    await call('POST', '/auth/secure-account', { application: 'medinfo', body: { token } }),
  ];
  for (const { status, body } of answers) expect([status, body.code]).toEqual([400, 'LINK_INVALID']);
  expect((await secure('x')).body.code).toBe('VALIDATION_FAILED');
  expect((await call('GET', '/users/me', { token: accessToken })).status).toBe(200);
});

test('ten clicks at once secure the account once, and none of them fails for good', async () => {
  const email = await newAccount();
  await signInOn('Phone', email);
  const token = secureTokenIn((await signInMails(1, email))[0]?.text);
  const answers = await Promise.all(Array.from({ length: 10 }, () => secure(token)));
  const said = answers.map(({ status, body }) => (status === 200 ? body.status : body.code));
  expect(said.filter((each) => each === 'secured')).toHaveLength(1);
  for (const each of said) expect(['secured', 'link-used', 'UNAVAILABLE']).toContain(each);
  expect((await secure(token)).body.status).toBe('link-used');
});
