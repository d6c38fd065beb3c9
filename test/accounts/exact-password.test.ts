import { expect, test } from 'vitest';
import { call } from '../api.ts';
import { codeOf, newAddress } from '../mails.ts';
import { newAccount, signInOn, trySignIn } from './people.ts';

/** A password is what was typed: of 12 to 256 characters, each of them counts, and none is changed. */

/** Upper and lower case, an accent in one character, a blank, and a letter that is not Latin. */
const begin = 'Zwölf Affen; Ωμέγα ';
const long = (length: number) => `${begin}${'xY7 '.repeat(64)}`.slice(0, length - 1).concat('!');

const verify = async (password: string) => {
  const email = newAddress();
  await call('POST', '/users', { body: { email } });
  return call('POST', '/users/verify', { body: { email, code: await codeOf(1, email), password, birthYear: 1980 } });
};

test('a sign-up takes 12, 64 and 256 characters, and neither 11 nor 257', async () => {
  const answers = await Promise.all([11, 12, 64, 256, 257].map((length) => verify(long(length))));
  expect(answers.map(({ status }) => status)).toEqual([400, 200, 200, 200, 400]);
});

test('a change and a reset take 256 characters, and neither 11 nor 257', async () => {
  const email = await newAccount(undefined, long(64));
  const change = async (currentPassword: string, password: string) => {
    const { accessToken: token } = await signInOn('Phone', email, currentPassword);
    return call('PUT', '/users/me/password', { token, body: { currentPassword, password } });
  };
  for (const length of [11, 257]) expect((await change(long(64), long(length))).status).toBe(400);
  expect((await change(long(64), long(256))).status).toBe(200);
  await call('POST', '/auth/password/forgot', { body: { email } });
  const code = await codeOf(3, email);
  const reset = (password: string) => call('POST', '/auth/password/reset', { body: { email, code, password } });
  for (const length of [11, 257]) expect((await reset(long(length))).status).toBe(400);
  expect((await reset(long(255))).status).toBe(200);
  expect((await trySignIn(email, long(256))).status).toBe(401);
  expect((await trySignIn(email, long(255))).status).toBe(200);
});

test('nothing is cut off, folded or trimmed', async () => {
  const password = long(256);
  const email = await newAccount(undefined, password);
  const others = [
    password.slice(0, -1),
    password.slice(0, 128),
    password.toLowerCase(),
    password.normalize('NFD').slice(0, 256),
    `${password.slice(0, 255)}?`,
    password.replace(' ', ''),
  ];
  for (const other of others) {
    const { status, body } = await trySignIn(email, other);
    expect([status, body.code], other).toEqual([401, 'INVALID_CREDENTIALS']);
  }
  expect((await trySignIn(email, password)).status).toBe(200);
});

test('no blank is trimmed, and no accent is taken apart', async () => {
  const password = long(100);
  const email = await newAccount(undefined, password);
  for (const other of [`${password} `, ` ${password}`, `${password}\n`, password.normalize('NFD')])
    expect((await trySignIn(email, other)).status, JSON.stringify(other)).not.toBe(200);
  expect((await trySignIn(email, password)).status).toBe(200);
});

test('a newer code replaces the one before it', async () => {
  const email = newAddress();
  const codes: string[] = [];
  for (const number of [1, 2]) {
    await call('POST', '/users', { body: { email } });
    codes.push(await codeOf(number, email));
  }
  const answers = [];
  for (const code of codes)
    answers.push(await call('POST', '/users/verify', { body: { email, code, password: long(20), birthYear: 1980 } }));
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
    [400, 'CODE_INVALID'],
    [200, undefined],
  ]);
});
