import { afterAll, describe, expect, test } from 'vitest';
import { codeAt, stepAt } from '../../lib/local/identity/cognito/totp.ts';
import { eventually } from '../eventually.ts';
import { secureTokenIn } from '../mail/token.ts';
import { newAddress, type SentMail } from '../mails.ts';
import { agedSessions } from './aged-sessions.ts';
import { openStage } from './stage.ts';

/**
 * Five thieves. Each walk says after which request the thief gets nothing, how the owner learns of it, and what remains. Single steps
 * are tested in stolen-access-token, stolen-token, lifetimes, lock and second-factor.
 */

/** Milliseconds that the user pool's clock is ahead of ours: so an authenticator app has a next code at once. */
let ahead = 0;
const now = () => Date.now() + ahead;
const own = await openStage({ userPoolNow: now });
const sessions = agedSessions(own.stage);
afterAll(async () => {
  sessions.close();
  await own.stage.close();
});

const password = 'a-long-first-passphrase';
const next = 'another-long-passphrase';

const send = (method: string, path: string, body?: object, bearer?: string) =>
  own.send(method, path, { ...(body && { body }), ...(bearer && { bearer }), application: 'sleepcare' });
const open = (bearer: string) => send('GET', '/users/me', undefined, bearer);
const secure = (token: string) => send('POST', '/auth/secure-account', { token });
const renewal = (refreshToken: string) => own.issue({ grantType: 'refresh_token', refreshToken }, 'sleepcare');
const tryPassword = (username: string, tried: string, more: object = {}) =>
  own.issue({ grantType: 'password', username, password: tried, ...more }, 'sleepcare');

async function mailsTo(address: string, subject: string): Promise<SentMail[]> {
  const answer = await fetch(`${own.stage.url}/_local/mails?to=${encodeURIComponent(address)}`);
  const { items } = (await answer.json()) as { items: SentMail[] };
  return items.filter((each) => each.subject === subject);
}

/** Waits for the mail of that number. */
async function mailTo(address: string, subject: string, number = 1): Promise<SentMail> {
  return eventually(async () => {
    const mail = (await mailsTo(address, subject)).at(number - 1);
    if (!mail) throw new Error(`no mail: ${subject}`);
    return mail;
  });
}

const codeIn = async (address: string, subject: string) => (await mailTo(address, subject)).code;
const linkIn = async (address: string, subject: string) => secureTokenIn((await mailTo(address, subject)).text);

async function newAccount(): Promise<string> {
  const email = newAddress();
  await send('POST', '/users', { email, locale: 'en' });
  const code = await codeIn(email, 'Your code to sign up');
  expect((await send('POST', '/users/verify', { email, code, password, birthYear: 1980 })).status).toBe(200);
  return email;
}

async function signedIn(email: string, deviceName: string, chosen = password) {
  const answer = await tryPassword(email, chosen, { deviceName });
  expect(answer.status).toBe(200);
  return { accessToken: String(answer.body.accessToken), refreshToken: String(answer.body.refreshToken) };
}

async function reset(email: string, chosen: string) {
  const subject = 'Your code for a new password';
  const before = (await mailsTo(email, subject)).length;
  await send('POST', '/auth/password/forgot', { email, locale: 'en' });
  const { code } = await mailTo(email, subject, before + 1);
  return send('POST', '/auth/password/reset', { email, code, password: chosen });
}

/** @returns the secret of the authenticator app */
async function withApp(accessToken: string, chosen = password): Promise<string> {
  const { secret } = (await send('POST', '/users/me/second-factor', { password: chosen }, accessToken)).body;
  const body = { password: chosen, code: codeAt(secret, stepAt(now())) };
  expect((await send('POST', '/users/me/second-factor/verify', body, accessToken)).status).toBe(200);
  return secret;
}

/** Not one of the codes around now. */
function wrongCode(secret: string, index: number): string {
  const near = [-1, 0, 1].map((step) => codeAt(secret, stepAt(now()) + step));
  const codes = Array.from({ length: 10 }, (_, each) => String(each).repeat(6)).filter((each) => !near.includes(each));
  return String(codes[index]);
}

const signedOut = { status: 401, body: { code: 'INVALID_GRANT', detail: { reason: 'password-changed' } } };

test('a stolen access token: the password, the factor and the address stay, and it ends with the session', async () => {
  const email = await newAccount();
  const { accessToken, refreshToken } = await signedIn(email, 'Phone');
  const mine = newAddress();
  // What lasts asks for the password: the factor, the address, recovery codes, the password itself.
  const acts = [
    await send('PUT', '/users/me/password', { currentPassword: next, password: next }, accessToken),
    await send('POST', '/users/me/second-factor', { password: next }, accessToken),
    await send('POST', '/users/me/email', { password: next, email: mine }, accessToken),
    await send('POST', '/users/me/email/verify', { email: mine, code: '000000' }, accessToken),
    await send('POST', '/auth/recovery-codes', { password: next }, accessToken),
    await renewal(accessToken),
  ];
  expect(acts.map(({ body }) => body.code)).toEqual([
    'PASSWORD_WRONG',
    'PASSWORD_WRONG',
    'PASSWORD_WRONG',
    'CODE_INVALID',
    'PASSWORD_WRONG',
    'INVALID_GRANT',
  ]);
  expect(await mailsTo(mine, 'Your code to confirm this e-mail address')).toEqual([]);
  expect((await open(accessToken)).status).toBe(200);
  // A sign-in of the last ten minutes can do one thing more, and the owner has a mail of it, with the way back.
  expect((await send('DELETE', '/users/me', undefined, accessToken)).status).toBe(200);
  expect((await mailTo(email, 'Your account will be deleted')).text).toContain('take the deletion back');
  // That was the last request that is answered. Else the token is over after 15 minutes, or when its owner signs out.
  expect((await open(accessToken)).status).toBe(401);
  expect((await renewal(refreshToken)).status).toBe(401);
  // What remains: what was read in these minutes. Nothing tells the owner of it: the token is of the owner's own session.
});

test('a stolen refresh token: the first request of whoever comes second ends it, and the owner has a mail', async () => {
  const email = await newAccount();
  const { refreshToken: stolen } = await signedIn(email, 'Phone');
  const thief = (await renewal(stolen)).body;
  const later = (await renewal(thief.refreshToken)).body;
  await sessions.age(stolen, 60_000);
  const found = await renewal(stolen);
  expect(found).toMatchObject({ status: 401, body: { detail: { reason: 'reused' } } });
  expect((await open(later.accessToken)).status).toBe(401);
  expect((await renewal(later.refreshToken)).status).toBe(401);
  // What remains: the password is not known to the thief. If it is, the link of the mail ends that, too.
  const link = await linkIn(email, 'A device was signed out for safety');
  expect((await secure(link)).body.status).toBe('secured');
  expect((await tryPassword(email, password)).body.code).toBe('INVALID_CREDENTIALS');
});

test('an old phone: its owner ends its session from another one, and else its time is over', async () => {
  const email = await newAccount();
  const [old, forgotten] = [await signedIn(email, 'Old phone'), await signedIn(email, 'Older phone')];
  const phone = await signedIn(email, 'Phone');
  const { items } = (await send('GET', '/auth/sessions', undefined, phone.accessToken)).body;
  const { sessionId } = items.find(({ device }: { device: string }) => device === 'Old phone');
  expect((await send('DELETE', `/auth/sessions/${sessionId}`, undefined, phone.accessToken)).status).toBe(200);
  expect((await open(old.accessToken)).status).toBe(401);
  expect(await renewal(old.refreshToken)).toMatchObject({ body: { detail: { reason: 'ended' } } });
  // Nobody thinks of the other one.
  await sessions.age(forgotten.refreshToken, 14 * 86_400_000);
  expect(await renewal(forgotten.refreshToken)).toMatchObject({ body: { detail: { reason: 'expired' } } });
  // What remains: what the phone itself has stored.
  expect((await open(phone.accessToken)).status).toBe(200);
});

describe('a guessed password', () => {
  test('without a second factor opens the account until its owner presses the link of the mail', async () => {
    const email = await newAccount();
    const thief = await signedIn(email, 'Unknown');
    expect((await open(thief.accessToken)).status).toBe(200);
    const { text } = await mailTo(email, 'A new sign-in to your account');
    expect(text).toContain('Unknown');
    expect((await secure(secureTokenIn(text))).body.status).toBe('secured');
    expect((await open(thief.accessToken)).status).toBe(401);
    expect(await renewal(thief.refreshToken)).toMatchObject(signedOut);
    expect((await tryPassword(email, password)).body.code).toBe('INVALID_CREDENTIALS');
    // What remains: what was read until then. Only the mailbox opens the account again.
    expect((await reset(email, next)).status).toBe(200);
    expect((await tryPassword(email, next)).status).toBe(200);
  });

  test('with a second factor opens nothing', async () => {
    const email = await newAccount();
    const secret = await withApp((await signedIn(email, 'Phone')).accessToken);
    expect((await tryPassword(email, password)).body.code).toBe('TOTP_REQUIRED');
    for (let index = 0; index < 5; index += 1) {
      const { session } = (await tryPassword(email, password)).body.detail;
      const code = wrongCode(secret, index);
      expect((await own.issue({ grantType: 'totp', session, code }, 'sleepcare')).body.code).toBe('TOTP_INVALID');
    }
    // Ten wrong codes from one address, or twenty from all, lock it. The owner is told of the fifth.
    const { text } = await mailTo(email, 'Wrong codes for your account');
    expect((await secure(secureTokenIn(text))).body.status).toBe('secured');
    expect((await tryPassword(email, password)).body.code).toBe('INVALID_CREDENTIALS');
    // Nothing remains: the password that somebody knew has ended.
  });

  test('lets the thief bind an app, and then support gives the account back', async () => {
    const email = await newAccount();
    const thief = await signedIn(email, 'Unknown');
    await withApp(thief.accessToken);
    expect((await secure(await linkIn(email, 'Your second factor was changed'))).body.status).toBe('secured');
    expect((await open(thief.accessToken)).status).toBe(401);
    expect(await renewal(thief.refreshToken)).toMatchObject(signedOut);
    expect((await reset(email, next)).status).toBe(200);
    // A link removes no second factor: else whoever has the mailbox alone could remove the owner's.
    expect((await tryPassword(email, next)).body.code).toBe('TOTP_REQUIRED');
    // What remains: the owner gets in when support has checked the identity and removed the app (docs/runbook.md).
  });
});

describe('a taken-over mailbox', () => {
  test('without a second factor: the phone of the owner says why it was signed out', async () => {
    const email = await newAccount();
    const phone = await signedIn(email, 'Phone');
    expect((await reset(email, next)).status).toBe(200);
    expect((await open(phone.accessToken)).status).toBe(401);
    expect(await renewal(phone.refreshToken)).toMatchObject(signedOut);
    const thief = await signedIn(email, 'Unknown', next);
    // The thief now takes another address, and loses the mailbox to its owner: for 7 days its mail gives the account back.
    const other = newAddress();
    await send('POST', '/users/me/email', { password: next, email: other }, thief.accessToken);
    const change = { email: other, code: await codeIn(other, 'Your code to confirm this e-mail address') };
    expect((await send('POST', '/users/me/email/verify', change, thief.accessToken)).status).toBe(200);
    const restored = await secure(await linkIn(email, 'Your e-mail address was changed'));
    expect(restored.body).toEqual({ status: 'secured', addressRestored: true });
    expect((await open(thief.accessToken)).status).toBe(401);
    expect(await renewal(thief.refreshToken)).toMatchObject(signedOut);
    for (const address of [email, other])
      expect((await tryPassword(address, next)).body.code).toBe('INVALID_CREDENTIALS');
    expect((await reset(email, 'the-owners-passphrase')).status).toBe(200);
    expect((await tryPassword(email, 'the-owners-passphrase')).status).toBe(200);
    // What remains: for as long as the thief has the mailbox, support freezes the account (docs/runbook.md).
  });

  test('with a second factor opens nothing: the phone of the owner says why it was signed out', async () => {
    const email = await newAccount();
    const { accessToken, refreshToken } = await signedIn(email, 'Phone');
    const secret = await withApp(accessToken);
    expect((await reset(email, next)).status).toBe(200);
    expect((await tryPassword(email, next)).body.code).toBe('TOTP_REQUIRED');
    expect((await open(accessToken)).status).toBe(401);
    // The mail about it is in the hands of the thief.
    expect(await renewal(refreshToken)).toMatchObject(signedOut);
    // The owner goes on with the app. What remains: the thief can sign the owner out again, by a link or a reset.
    ahead += 60_000;
    expect((await reset(email, 'the-owners-passphrase')).status).toBe(200);
    const { session } = (await tryPassword(email, 'the-owners-passphrase')).body.detail;
    const code = codeAt(secret, stepAt(now()));
    expect((await own.issue({ grantType: 'totp', session, code }, 'sleepcare')).status).toBe(200);
  });
});
