import { expect, test } from 'vitest';
import { newAccount, renew, signInOn } from '../accounts/people.ts';
import { call, client } from '../api.ts';
import { signedIn } from './people.ts';

const admin = () => client({ user: 'admin@example.com', roles: 'admin', application: 'medinfo' });

test('an account shows who came in: each sign-in, newest first, and no renewal', async () => {
  const email = await newAccount();
  const before = new Date(Date.now() - 1000).toISOString();
  const phone = await signInOn('Phone', email);
  await signInOn('Phone', email, undefined, { previousRefreshToken: (await signInOn('Phone', email)).refreshToken });
  const { accessToken: token } = await signInOn('Tablet', email);
  expect((await renew(phone.refreshToken)).status).toBe(200);

  const { status, body } = await call('GET', '/users/me/sign-ins', { token });
  expect(status).toBe(200);
  expect(body.items.map(({ isNewDevice }: { isNewDevice: boolean }) => isNewDevice)).toEqual([true, false, true, true]);
  for (const item of body.items) {
    expect(item).toEqual({
      signInId: expect.stringMatching(/^[\w.]{20,64}$/),
      at: expect.any(String),
      application: 'sleepcare',
      network: expect.stringMatching(/^(127\.0\.0\.0\/24|[0-9a-f:]+::\/48)$/),
      isNewDevice: expect.any(Boolean),
    });
    expect(item.at >= before && item.at <= new Date().toISOString()).toBe(true);
  }

  const first = await call('GET', '/users/me/sign-ins?limit=2', { token });
  expect(first.body.items).toEqual(body.items.slice(0, 2));
  const cursor = encodeURIComponent(first.body.metadata.nextCursor);
  const rest = await call('GET', `/users/me/sign-ins?limit=2&cursor=${cursor}`, { token });
  expect(rest.body).toMatchObject({ items: body.items.slice(2), metadata: { hasMore: false, nextCursor: null } });
});

test('an administrator sees the same of a user, and the user sees the look', async () => {
  const email = await newAccount();
  const { accessToken: token } = await signInOn('Phone', email);
  const { userId } = (await call('GET', '/users/me', { token })).body;
  const own = await call('GET', '/users/me/sign-ins', { token });
  const seen = await (await admin()).get(`/users/${userId}/sign-ins`);
  expect([seen.status, seen.body]).toEqual([200, own.body]);
  expect(seen.body.items).toHaveLength(1);
  const looks = await call('GET', '/users/me/access-log', { token });
  expect(looks.body.items).toMatchObject([{ action: 'GET /users/{userId}/sign-ins' }]);
});

test('members of staff see their own; nobody has those of a user who is not there', async () => {
  const { accessToken: token } = await signedIn('physician');
  const { body } = await call('GET', '/users/me/sign-ins?limit=1', { token, application: 'medinfo' });
  expect(body.items).toMatchObject([{ application: 'medinfo' }]);
  const { userId } = (await call('GET', '/users/me', { token, application: 'medinfo' })).body;
  for (const id of [userId, 'nobody']) {
    expect(await (await admin()).get(`/users/${id}/sign-ins`)).toMatchObject({
      status: 404,
      body: { code: 'USER_NOT_FOUND' },
    });
  }
});
