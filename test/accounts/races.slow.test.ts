import { expect, test } from 'vitest';
import { call } from '../api.ts';
import { eventually } from '../eventually.ts';
import { codeOf, mailsTo, newAddress } from '../mails.ts';
import { newAccount, password, renew, signInOn, trySignIn } from './people.ts';

const fifty = Array.from({ length: 50 }, (_, index) => index);

/** Six digits that are not the code's. */
const other = (code: string, index: number) => String((Number(code) + 1 + index) % 1_000_000).padStart(6, '0');

test('of 50 guesses at once five count: the right code is then worth nothing', async () => {
  const email = newAddress();
  await call('POST', '/users', { body: { email } });
  const code = await codeOf(1, email);
  const verify = (guess: string) =>
    call('POST', '/users/verify', { body: { email, code: guess, password, birthYear: 1980 } });
  const guesses = await Promise.all(fifty.map((index) => verify(other(code, index))));
  expect(new Set(guesses.map(({ body }) => body.code))).toEqual(new Set(['CODE_INVALID']));
  expect((await verify(code)).body.code).toBe('CODE_INVALID');
});

test('after four wrong guesses the right code still counts, and only one time', async () => {
  const email = newAddress();
  await call('POST', '/users', { body: { email } });
  const code = await codeOf(1, email);
  const verify = (guess: string) =>
    call('POST', '/users/verify', { body: { email, code: guess, password, birthYear: 1980 } });
  for (const index of [0, 1, 2, 3]) expect((await verify(other(code, index))).status).toBe(400);
  expect((await verify(code)).status).toBe(200);
  expect((await verify(code)).body.code).toBe('CODE_INVALID');
});

test('a code for a sign-up changes nothing of an account that came to the address since', async () => {
  const address = newAddress();
  await call('POST', '/users', { body: { email: address } });
  const signUpCode = await codeOf(1, address);
  const { accessToken: token, refreshToken } = await signInOn('Phone', await newAccount());
  await call('GET', '/users/me', { token });
  await call('POST', '/users/me/email', { token, body: { password, email: address } });
  const moved = { email: address, code: await codeOf(2, address) };
  expect((await call('POST', '/users/me/email/verify', { token, body: moved })).status).toBe(200);
  const body = { email: address, code: signUpCode, password: 'a-passphrase-of-another', birthYear: 1980 };
  const verified = await call('POST', '/users/verify', { body });
  expect(verified).toMatchObject({ status: 400, body: { code: 'CODE_INVALID' } });
  expect((await trySignIn(address, body.password)).status).toBe(401);
  expect((await trySignIn(address, password)).status).toBe(200);
  expect((await renew(refreshToken)).status).toBe(200);
});

test('a double click on a sign-up makes one account, and the session that begins then lasts', async () => {
  const email = newAddress();
  await call('POST', '/users', { body: { email } });
  const body = { email, code: await codeOf(1, email), password, birthYear: 1980 };
  const answers = await Promise.all([1, 2].map(() => call('POST', '/users/verify', { body })));
  expect(answers.map(({ status }) => status)).toContain(200);
  for (const answer of answers) if (answer.status !== 200) expect(answer.body.code).toBe('CODE_INVALID');
  const { refreshToken } = await signInOn('Phone', email);
  expect((await renew(refreshToken)).status).toBe(200);
});

test('of 20 requests at once five mails go to an address, and the latest code is the one that works', async () => {
  const email = newAddress();
  await Promise.all(fifty.slice(0, 20).map(() => call('POST', '/users', { body: { email } })));
  await eventually(async () => expect(await mailsTo(email)).toHaveLength(5));
  // Another address is behind them in the queue: when it has its mail, theirs are done.
  const behind = newAddress();
  await call('POST', '/users', { body: { email: behind } });
  await codeOf(1, behind);
  const mails = await mailsTo(email);
  expect(mails).toHaveLength(5);
  expect(new Set(mails.map(({ code }) => code)).size).toBe(5);
});

test('of 50 wrong passwords at once ten are looked at, and the right one is then refused, as for nobody', async () => {
  const email = await newAccount();
  const nobody = newAddress();
  for (const name of [email, nobody]) {
    const answers = await Promise.all(fifty.map(() => trySignIn(name, 'a-wrong-passphrase')));
    const codes = answers.map(({ body }) => body.code);
    expect(codes.filter((code) => code === 'INVALID_CREDENTIALS')).toHaveLength(10);
    expect(new Set(codes)).toEqual(
      new Set(['INVALID_CREDENTIALS', 'SIGN_IN_LOCKED', ...codes.filter((code) => code === 'UNAVAILABLE')]),
    );
    const locked = await trySignIn(name);
    expect(locked).toMatchObject({ status: 429, body: { code: 'SIGN_IN_LOCKED' } });
    expect(locked.headers.get('retry-after')).toBe('900');
  }
  await call('POST', '/auth/password/forgot', { body: { email } });
  const body = { email, code: await codeOf(2, email), password };
  expect((await call('POST', '/auth/password/reset', { body })).status).toBe(200);
  expect((await trySignIn(email)).status).toBe(200);
});

test('a session that ends while it is renewed hands nothing out that lasts', async () => {
  const email = await newAccount();
  const phone = await signInOn('Phone', email);
  const tablet = await signInOn('Tablet', email);
  const { body } = await call('GET', '/auth/sessions', { token: phone.accessToken });
  // Cognito dates sign-ins by the second: of two in the same one either can be first.
  const { sessionId } = body.items.find(({ device }: { device: string }) => device === 'Tablet');
  const [, ...renewals] = await Promise.all([
    // Eight renewals change the same row: it may be asked to come again.
    eventually(async () => {
      const { status } = await call('DELETE', `/auth/sessions/${sessionId}`, { token: phone.accessToken });
      expect(status).toBe(200);
    }),
    ...fifty.slice(0, 8).map(() => renew(tablet.refreshToken)),
  ]);
  for (const { status, body: tokens } of renewals) {
    if (status === 200) expect((await renew(tokens.refreshToken)).status).toBe(401);
  }
  expect((await renew(tablet.refreshToken)).status).toBe(401);
  expect((await renew(phone.refreshToken)).status).toBe(200);
});
