import { expect, test } from 'vitest';
import { codeAt, stepAt } from '../../lib/local/identity/cognito/totp.ts';
import { newAccount, password, signInOn, trySignIn } from '../accounts/people.ts';
import { call } from '../api.ts';
import { eventually } from '../eventually.ts';
import { mailsTo } from '../mails.ts';

async function setUpFactor(token: string): Promise<void> {
  const { secret } = (await call('POST', '/users/me/second-factor', { token, body: { password } })).body;
  const body = { password, code: codeAt(secret, stepAt(Date.now())) };
  expect((await call('POST', '/users/me/second-factor/verify', { token, body })).status).toBe(200);
}

const issue = (token: string) => call('POST', '/auth/recovery-codes', { token, body: { password } });

const use = (username: string, recoveryCode: string, given = password) =>
  call('POST', '/auth/recovery-codes/use', { body: { username, password: given, recoveryCode } });

/** As people read and type it: small letters, blanks, and letters that look like digits. */
const misread = (code: string) => code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');

test('each of ten codes removes the lost app once, with the password only, and the next ones replace them', async () => {
  const email = await newAccount();
  const token = (await signInOn('Phone', email)).accessToken;
  const issued = await issue(token);
  expect(issued.status).toBe(200);
  await setUpFactor(token);
  const codes = issued.body.codes as string[];
  expect(new Set(codes).size).toBe(10);
  // Seven groups of four out of 32 characters: 140 bits each.
  for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){6}$/);
  const [first = '', second = '', third = ''] = codes;
  expect((await trySignIn(email)).body.code).toBe('TOTP_REQUIRED');

  expect((await use(email, first, 'a-wrong-passphrase')).body.code).toBe('INVALID_CREDENTIALS');
  expect((await use(email, 'AAAA-AAAA-AAAA-AAAA-AAAA-AAAA-AAAA')).body.code).toBe('RECOVERY_CODE_INVALID');
  expect((await use(email, 'no code')).body.code).toBe('RECOVERY_CODE_INVALID');
  expect((await trySignIn(email)).body.code).toBe('TOTP_REQUIRED');

  // At once: one takes the code, and whoever comes later finds no app to remove.
  const answers = await Promise.all([1, 2, 3, 4].map(() => use(email, misread(first))));
  for (const { status, body } of answers) expect([200, 401], JSON.stringify(body)).toContain(status);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  const { accessToken } = await signInOn('Phone', email);
  await setUpFactor(accessToken);
  expect((await use(email, first)).body.code).toBe('RECOVERY_CODE_INVALID');
  expect((await use(email, second.replaceAll('-', ''))).status).toBe(200);
  await eventually(async () => {
    const texts = (await mailsTo(email)).map(({ text }) => text);
    expect(texts.filter((text) => text.includes('Verbleibende Codes: 8'))).toHaveLength(1);
  });

  // Without an app a code is not used up.
  expect((await use(email, third)).status).toBe(200);
  const fresh = (await signInOn('Phone', email)).accessToken;
  await setUpFactor(fresh);
  expect((await use(email, third)).status).toBe(200);
  const again = (await issue(fresh)).body.codes as string[];
  await setUpFactor((await signInOn('Phone', email)).accessToken);
  expect((await use(email, codes[3] ?? '')).body.code).toBe('RECOVERY_CODE_INVALID');
  expect((await use(email, again[3] ?? '')).status).toBe(200);
});

test("codes of one account are worth nothing in another, and nobody's account has any", async () => {
  const [mine, other] = [await newAccount(), await newAccount()];
  const { accessToken } = await signInOn('Phone', mine);
  await setUpFactor((await signInOn('Phone', other)).accessToken);
  const { codes } = (await issue(accessToken)).body;
  expect((await use(other, codes[0])).body.code).toBe('RECOVERY_CODE_INVALID');
  expect((await use('nobody@example.com', codes[0])).body.code).toBe('INVALID_CREDENTIALS');
});
