import { expect, test } from 'vitest';
import { newAccount, renew, signInOn } from '../accounts/people.ts';
import { call } from '../api.ts';
import { mailsTo } from '../mails.ts';

/** An app that renews again, as after a lost answer, is neither signed out nor does its user get a mail. */

async function signedInAlone() {
  const email = await newAccount();
  return { email, ...(await signInOn('Phone', email)) };
}

async function subjectsTo(email: string): Promise<string[]> {
  return (await mailsTo(email)).map(({ subject }) => subject);
}

async function sessionsOf(token: string): Promise<number> {
  return (await call('GET', '/auth/sessions', { token })).body.items.length;
}

test('the list of sessions does not say when the owner renewed, which would let a thief follow unnoticed', async () => {
  const { refreshToken } = await signedInAlone();
  const { accessToken } = (await renew(refreshToken)).body;
  const [{ createdAt, renewedAt }] = (await call('GET', '/auth/sessions', { token: accessToken })).body.items;
  // Past midnight it is the start of the day.
  if (renewedAt !== createdAt) expect(renewedAt).toMatch(/T00:00:00\.000Z$/);
});

test('a lost answer: the same renewal again gets the same refresh token, however late', async () => {
  const { email, refreshToken } = await signedInAlone();
  const lost = await renew(refreshToken);
  const again = await renew(refreshToken);
  expect([lost.status, again.status]).toEqual([200, 200]);
  expect(again.body.refreshToken).toBe(lost.body.refreshToken);
  const next = await renew(again.body.refreshToken);
  expect(next.status).toBe(200);
  expect(next.body.refreshToken).not.toBe(again.body.refreshToken);
  // A copy of the first request that the network delivers late.
  expect((await renew(refreshToken)).body.refreshToken).toBe(lost.body.refreshToken);
  expect((await renew(next.body.refreshToken)).status).toBe(200);
  expect(await sessionsOf(next.body.accessToken)).toBe(1);
  expect(await subjectsTo(email)).not.toContainEqual(expect.stringMatching(/Sicherheit|safety/));
});

test('fifty renewals at once get one and the same successor', async () => {
  const { email, refreshToken } = await signedInAlone();
  const answers = await Promise.all(Array.from({ length: 50 }, () => renew(refreshToken)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const next = new Set(answers.map(({ body }) => body.refreshToken));
  expect(next.size).toBe(1);
  const [successor] = next;
  const renewed = await renew(String(successor));
  expect(renewed.status).toBe(200);
  expect(await sessionsOf(renewed.body.accessToken)).toBe(1);
  expect(await subjectsTo(email)).not.toContainEqual(expect.stringMatching(/Sicherheit|safety/));
});

test('more renewals in a minute than a row keeps: the token stays, and the session goes on', async () => {
  const { refreshToken } = await signedInAlone();
  const tokens = [refreshToken];
  for (let index = 0; index < 25; index += 1) {
    const { status, body } = await renew(String(tokens.at(-1)));
    expect(status).toBe(200);
    tokens.push(body.refreshToken);
  }
  expect(new Set(tokens).size).toBe(21);
  // Each of them gets what it got before.
  for (const [index, token] of [...new Set(tokens)].slice(0, 20).entries()) {
    expect((await renew(token)).body.refreshToken).toBe(tokens[index + 1]);
  }
});

test("nothing of Cognito's refresh token reaches the app", async () => {
  const { refreshToken } = await signedInAlone();
  const { body } = await renew(refreshToken);
  for (const token of [refreshToken, body.refreshToken]) {
    expect(token).toMatch(/^mhrt1\.[\w-]{36}\.[\w-]{36}\.[\w-]{43}\.[0-9a-f]{8}\.[\w-]{43}$/);
  }
});
