import { expect, test } from 'vitest';
import { type Device, newAccount, renew, signInOn, trySignIn } from '../accounts/people.ts';
import { call } from '../api.ts';
import { eventually } from '../eventually.ts';
import { signInMails } from '../mails.ts';

/** A sign-in that presents the refresh token of this app's session before. */

const presenting = ({ refreshToken }: Device) => ({ previousRefreshToken: refreshToken });

/** The account's list says what got a mail. The newest first. */
async function isNew({ accessToken: token }: Device): Promise<boolean[]> {
  const { body } = await call('GET', '/users/me/sign-ins', { token });
  return body.items.map(({ isNewDevice }: { isNewDevice: boolean }) => isNewDevice);
}

const reads = async ({ accessToken: token }: Device) => (await call('GET', '/users/me', { token })).status;

test('whatever a device calls itself, its owner gets a mail, and no session ends', async () => {
  const email = await newAccount();
  const phone = await signInOn('Phone', email);
  const other = await signInOn('Phone', email);
  expect(await isNew(other)).toEqual([true, true]);
  for (const { fromHeader, text } of await signInMails(2, email)) {
    expect(fromHeader).toMatch(/^"Sleepcare" <[^<>]+>$/);
    expect(text).toMatch(/am \d+\. \p{L}+ \d{4} um \d\d:\d\d MES?Z eine neue Anmeldung: Phone/u);
  }
  expect(await reads(phone)).toBe(200);
});

test('the token of the session before ends that session, and there is no mail', async () => {
  const email = await newAccount();
  const phone = await signInOn('Phone', email);
  const tablet = await signInOn('Tablet', email);
  const again = await signInOn('Phone', email, undefined, presenting(phone));
  expect(await isNew(again)).toEqual([false, true, true]);
  expect(await Promise.all([phone, tablet, again].map(reads))).toEqual([401, 200, 200]);
  expect(await renew(phone.refreshToken)).toMatchObject({ status: 401, body: { detail: { reason: 'ended' } } });
  // The list has what the mails say: this one comes after all before it.
  await signInOn('Watch', email);
  const mails = await eventually(async () => {
    const found = await signInMails(3, email);
    expect(found.some(({ text }) => text.includes('Watch'))).toBe(true);
    return found;
  });
  expect(mails).toHaveLength(3);
});

test('the token before the present one, after a lost answer, proves the same', async () => {
  const email = await newAccount();
  const phone = await signInOn('Phone', email);
  expect((await renew(phone.refreshToken)).status).toBe(200);
  const again = await signInOn('Phone', email, undefined, presenting(phone));
  expect(await isNew(again)).toEqual([false, true]);
  expect(await reads(phone)).toBe(401);
});

test.each([
  [
    'of a session that was signed out',
    async (phone: Device) => {
      await call('POST', '/auth/tokens/revoke', { body: { refreshToken: phone.refreshToken } });
      return phone.refreshToken;
    },
  ],
  [
    'that is changed',
    async ({ refreshToken }: Device) => `${refreshToken.slice(0, -1)}${refreshToken.endsWith('0') ? '1' : '0'}`,
  ],
  ['that is no token', async () => 'nothing'],
])('a token %s proves nothing', async (_name, given) => {
  const email = await newAccount();
  const phone = await signInOn('Phone', email);
  const previousRefreshToken = await given(phone);
  const before = await reads(phone);
  const again = await signInOn('Phone', email, undefined, { previousRefreshToken });
  expect(await isNew(again)).toEqual([true, true]);
  expect(await reads(phone)).toBe(before);
  expect(await signInMails(2, email)).toHaveLength(2);
});

test('of two sign-ins at once with one token one sends a mail', async () => {
  const email = await newAccount();
  const phone = await signInOn('Phone', email);
  const [one] = await Promise.all([1, 2].map(() => signInOn('Phone', email, undefined, presenting(phone))));
  expect((await isNew(one as Device)).filter((is) => is)).toHaveLength(2);
});

test('the end of all sessions takes away what a token proves', async () => {
  const email = await newAccount();
  const phone = await signInOn('Phone', email);
  expect((await call('DELETE', '/auth/sessions', { token: phone.accessToken })).status).toBe(200);
  const again = await signInOn('Phone', email, undefined, presenting(phone));
  expect(await isNew(again)).toEqual([true, true]);
});

test('the token of another account proves nothing, and its session goes on', async () => {
  const [mine, theirs] = [await newAccount(), await newAccount()];
  const victim = await signInOn('Phone', theirs);
  const phone = await signInOn('Phone', mine, undefined, presenting(victim));
  expect(await isNew(phone)).toEqual([true]);
  expect([await reads(victim), (await renew(victim.refreshToken)).status]).toEqual([200, 200]);
  expect(await signInMails(1, theirs)).toHaveLength(1);
});

test.each([7, null, {}, '', 'x'.repeat(10_000)])(
  'what is no text of a token is a mistake of the app: %j',
  async (wrong) => {
    const email = await newAccount();
    const { status, body } = await trySignIn(email, undefined, { previousRefreshToken: wrong });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(JSON.stringify(body)).toContain('previousRefreshToken');
  },
);
