import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { partsOf, tokenText } from '../../functions/auth/rules/refresh-token.ts';
import { eventually } from '../eventually.ts';
import { newAddress } from '../mails.ts';
import { agedSessions } from './aged-sessions.ts';
import { openStage } from './stage.ts';

/** A thief has a copy of a refresh token, and its owner goes on. */

const own = await openStage();
const sessions = agedSessions(own.stage);
afterEach(() => own.reset());
afterAll(async () => {
  sessions.close();
  await own.stage.close();
});

const password = 'a-long-first-passphrase';

type Mail = { readonly subject: string; readonly text: string; readonly code: string | null };

async function mailsTo(email: string): Promise<readonly Mail[]> {
  const answer = await fetch(`${own.stage.url}/_local/mails?to=${encodeURIComponent(email)}`);
  return ((await answer.json()) as { items: Mail[] }).items;
}

const notices = async (email: string) =>
  (await mailsTo(email)).filter(({ subject }) => subject === 'Ein Gerät wurde zur Sicherheit abgemeldet');

async function newAccount(): Promise<string> {
  const email = newAddress();
  const send = (path: string, body: object) => own.send('POST', path, { body, application: 'sleepcare' });
  await send('/users', { email, locale: 'de-DE', timezone: 'Europe/Berlin' });
  const code = await eventually(async () => {
    const found = (await mailsTo(email))[0]?.code;
    if (!found) throw new Error('no code yet');
    return found;
  });
  expect((await send('/users/verify', { email, code, password, birthYear: 1980 })).status).toBe(200);
  return email;
}

async function stolen() {
  const email = await newAccount();
  const device = { deviceName: 'iPhone 17' };
  const { status, body } = await own.issue(
    { grantType: 'password', username: email, password, ...device },
    'sleepcare',
  );
  expect(status).toBe(200);
  return { email, first: String(body.refreshToken) };
}

const answerTo = (refreshToken: string) => own.issue({ grantType: 'refresh_token', refreshToken }, 'sleepcare');

/** @returns the next refresh token */
async function renewed(refreshToken: string): Promise<string> {
  const { status, body } = await answerTo(refreshToken);
  expect([status, body.code]).toEqual([200, undefined]);
  return body.refreshToken;
}

const overTheGrace = (refreshToken: string) => sessions.age(refreshToken, 60_000);

const reused = { status: 401, body: { code: 'INVALID_GRANT', detail: { reason: 'reused' } } };

/** Nothing of the session goes on, neither with us nor at Cognito, and its owner gets one mail that names the device. */
async function expectEnded(email: string, tokens: readonly string[]): Promise<void> {
  const revocations: string[] = [];
  own.state.fault = ({ action }) => void revocations.push(action);
  for (const token of tokens) expect(await answerTo(token)).toMatchObject(reused);
  // Cognito is not even asked, but for the address of the mail, at any time.
  expect(revocations.filter((action) => action !== 'AdminGetUser')).toEqual([]);
  const row = await sessions.rowOf(String(tokens[0]));
  expect(row).toMatchObject({ endedAt: expect.any(String), endedBy: 'reused', noticedAt: expect.any(String) });
  const [notice, ...more] = await eventually(async () => {
    const found = await notices(email);
    if (found.length === 0) throw new Error('no mail yet');
    return found;
  });
  expect(notice?.text).toContain('iPhone 17');
  expect(more).toEqual([]);
}

const counted = () => own.state.lines.filter((line) => line.includes('"refreshTokenReused":1')).length;

describe('a stolen refresh token', () => {
  test('the thief is first: as soon as the owner renews, both are out, and the owner gets a mail', async () => {
    const { email, first } = await stolen();
    const second = await renewed(first);
    const third = await renewed(second);
    await overTheGrace(first);
    const calls: string[] = [];
    own.state.fault = ({ action }) => void calls.push(action);
    expect(await answerTo(first)).toMatchObject(reused);
    // The mail to the owner goes to the pool's address, at any time.
    expect(calls.filter((action) => action !== 'AdminGetUser')).toEqual(['RevokeToken']);
    expect(counted()).toBe(1);
    await expectEnded(email, [third, second, first]);
    expect(counted()).toBe(1);
  });

  test('the owner is first: the thief gets nothing, and the owner learns of it', async () => {
    const { email, first } = await stolen();
    let last = await renewed(first);
    for (let index = 0; index < 3; index += 1) {
      await overTheGrace(last);
      last = await renewed(last);
    }
    // Its hash is no longer in the row: its mark says that it is of this session.
    expect((await sessions.rowOf(last)).predecessors).toHaveLength(1);
    expect(await answerTo(first)).toMatchObject(reused);
    await expectEnded(email, [last, first]);
  });

  test('both within the grace: there is one branch, and who goes on with the older token ends it', async () => {
    const { email, first } = await stolen();
    const second = await renewed(first);
    const third = await renewed(second);
    // The thief, within the minute: no second branch, but what the owner got.
    expect(await renewed(first)).toBe(second);
    expect(await renewed(second)).toBe(third);
    expect(await notices(email)).toEqual([]);
    const fourth = await renewed(third);
    await overTheGrace(first);
    expect(await answerTo(second)).toMatchObject(reused);
    await expectEnded(email, [fourth, third, second, first]);
  });

  test('who signs in again has a session of their own, which the old tokens do not end', async () => {
    const { email, first } = await stolen();
    await renewed(await renewed(first));
    await overTheGrace(first);
    expect(await answerTo(first)).toMatchObject(reused);
    const { body } = await own.issue({ grantType: 'password', username: email, password }, 'sleepcare');
    expect(await answerTo(first)).toMatchObject(reused);
    await renewed(body.refreshToken);
    const list = await own.send('GET', '/auth/sessions', { bearer: body.accessToken, application: 'sleepcare' });
    expect(list.body.items).toHaveLength(1);
  });

  test('a token that somebody made up ends nothing, also with the ids of a session', async () => {
    const { email, first } = await stolen();
    const parts = partsOf(first);
    if (!parts) throw new Error('no token of ours');
    const [keyId, hash = ''] = parts.mark.split('.');
    const otherHash = `${hash.startsWith('A') ? 'B' : 'A'}${hash.slice(1)}`;
    const reads = own.state.lines.length;
    for (const forged of [
      { random: 'x'.repeat(43) },
      { mark: `${keyId}.${otherHash}` },
      // Of a key that nobody has.
      { mark: `00000000.${hash}` },
      { userId: 'somebody-else' },
    ]) {
      const token = tokenText({ ...parts, ...forged });
      expect(partsOf(token)).not.toBeNull();
      expect(await answerTo(token)).toMatchObject({ status: 401, body: { detail: null } });
    }
    expect(own.state.lines.length).toBeGreaterThan(reads);
    await renewed(await renewed(first));
    expect(await notices(email)).toEqual([]);
  });

  test('if Cognito is down when the reuse is found, nothing renews, and the next request tells the owner', async () => {
    const { email, first } = await stolen();
    const third = await renewed(await renewed(first));
    await overTheGrace(first);
    own.state.fault = () => 'error';
    expect((await answerTo(first)).status).toBe(503);
    expect(await sessions.rowOf(first)).toMatchObject({ endedBy: 'reused' });
    expect(counted()).toBe(0);
    own.state.fault = undefined;
    expect(await answerTo(third)).toMatchObject(reused);
    expect(counted()).toBe(1);
    await expectEnded(email, [third, first]);
  });
});

test('staff: the same at the route for physicians', async () => {
  const grant = { grantType: 'password', username: 'physician@example.com', password: 'physician-physician' };
  const { body } = await own.issue(grant);
  const access = (bearer: string) => own.send('GET', '/auth/tokens/md/access', { bearer });
  const second = await access(body.refreshToken);
  expect(second.status).toBe(200);
  expect((await access(body.refreshToken)).body.refreshToken).toBe(second.body.refreshToken);
  expect((await access(second.body.refreshToken)).status).toBe(200);
  await overTheGrace(body.refreshToken);
  expect(await access(body.refreshToken)).toMatchObject(reused);
  expect(counted()).toBe(1);
  expect(await access(second.body.refreshToken)).toMatchObject(reused);
});

describe('at a sign-in', () => {
  const next = 'another-long-passphrase';
  const signInWith = (email: string, previousRefreshToken: string, chosen = password) =>
    own.issue({ grantType: 'password', username: email, password: chosen, previousRefreshToken }, 'sleepcare');
  const newSignIns = async (email: string) =>
    (await mailsTo(email)).filter(({ subject }) => subject === 'Neue Anmeldung in Ihrem Konto').length;

  test('a token whose successor was used proves nothing, and is a reuse like any other', async () => {
    const { email, first } = await stolen();
    const third = await renewed(await renewed(first));
    await overTheGrace(first);
    const before = counted();
    expect((await signInWith(email, first)).status).toBe(200);
    expect(counted()).toBe(before + 1);
    await expectEnded(email, [third, first]);
    await eventually(async () => expect(await newSignIns(email)).toBe(2));
  });

  test('the token of a session that is over by itself proves once that the app was signed in', async () => {
    const { email, first } = await stolen();
    await sessions.age(first, 15 * 86_400_000);
    const { status, body } = await signInWith(email, first);
    expect(status).toBe(200);
    expect(await sessions.rowOf(first)).toMatchObject({ endedBy: 'expired' });
    await own.stage.idle();
    expect(await newSignIns(email)).toBe(1);
    // Whoever has a copy of it comes second.
    expect((await signInWith(email, first)).status).toBe(200);
    await own.stage.idle();
    expect(await newSignIns(email)).toBe(2);
    expect((await answerTo(String(body.refreshToken))).status).toBe(200);
  });

  test('a token whose successor was used, of a session that is over: it has expired, as at a renewal', async () => {
    const { email, first } = await stolen();
    await renewed(await renewed(first));
    await sessions.age(first, 15 * 86_400_000);
    const before = counted();
    expect((await signInWith(email, first)).status).toBe(200);
    expect([counted(), (await sessions.rowOf(first)).endedBy]).toEqual([before, 'expired']);
    await own.stage.idle();
    expect([await newSignIns(email), (await notices(email)).length]).toEqual([2, 0]);
  });

  test('the token of a session that is over proves nothing once the person has signed out', async () => {
    const { email, first } = await stolen();
    await sessions.age(first, 15 * 86_400_000);
    expect((await answerTo(first)).body.detail).toEqual({ reason: 'expired' });
    await own.send('POST', '/auth/tokens/revoke', { body: { refreshToken: first }, application: 'sleepcare' });
    expect((await signInWith(email, first)).status).toBe(200);
    await own.stage.idle();
    expect(await newSignIns(email)).toBe(2);
  });

  test('the token of a session that is over proves nothing once the password was reset', async () => {
    const { email, first } = await stolen();
    await sessions.age(first, 15 * 86_400_000);
    expect((await answerTo(first)).body.detail).toEqual({ reason: 'expired' });
    const send = (path: string, body: object) => own.send('POST', path, { body, application: 'sleepcare' });
    expect((await send('/auth/password/forgot', { email })).status).toBe(202);
    await own.stage.idle();
    const code = (await mailsTo(email)).find(({ subject }) => /Passwort/.test(subject))?.code;
    expect((await send('/auth/password/reset', { email, code, password: next })).status).toBe(200);
    expect((await signInWith(email, first, next)).status).toBe(200);
    await own.stage.idle();
    expect(await newSignIns(email)).toBe(2);
  });
});
