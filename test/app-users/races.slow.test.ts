import { expect, test } from 'vitest';
import { newAccount, renew, signInOn, trySignIn } from '../accounts/people.ts';
import { call, client } from '../api.ts';

const admin = () => client({ application: 'medinfo', roles: 'admin' });

async function userOf(token: string): Promise<string> {
  return (await call('GET', '/users/me', { token })).body.userId;
}

test('if administrators disable and enable at once, the last one decides about the row and the sign-in', async () => {
  const email = await newAccount();
  const userId = await userOf((await signInOn('Phone', email)).accessToken);
  const administrator = await admin();
  for (let round = 0; round < 8; round += 1) {
    const acts = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? 'disable' : 'enable'));
    const answers = await Promise.all(acts.map((act) => administrator.post(`/users/${userId}/${act}`)));
    for (const { status } of answers) expect([200, 503]).toContain(status);
    const { status } = (await administrator.get(`/users/${userId}`)).body;
    expect((await trySignIn(email)).status).toBe(status === 'active' ? 200 : 401);
  }
});

test.each(['sign-out', 'disable'])('after %s no session is listed, and none can be renewed', async (act) => {
  const email = await newAccount();
  const phone = await signInOn('Phone', email);
  const tablet = await signInOn('Tablet', email);
  const token = phone.accessToken;
  expect((await call('GET', '/auth/sessions', { token })).body.items).toHaveLength(2);
  const [administrator, userId] = [await admin(), await userOf(token)];
  expect((await administrator.post(`/users/${userId}/${act}`)).status).toBe(200);
  // The sessions' own tokens no longer see the list: a new sign-in does.
  expect((await call('GET', '/auth/sessions', { token })).status).toBe(401);
  for (const { refreshToken } of [phone, tablet]) expect((await renew(refreshToken)).status).toBe(401);
  if (act === 'disable') expect((await administrator.post(`/users/${userId}/enable`)).status).toBe(200);
  const { accessToken } = await signInOn('Watch', email);
  const { items } = (await call('GET', '/auth/sessions', { token: accessToken })).body;
  expect(items.map(({ device }: { device: string }) => device)).toEqual(['Watch']);
});
