import { describe, expect, test } from 'vitest';
import { newAccount, password, signInOn } from '../accounts/people.ts';
import { call, client } from '../api.ts';
import { codeOf, invitationOf, newAddress } from '../mails.ts';
import { signedIn } from './people.ts';

/** Whatever ends a session: from its answer on every request with an access token of that session is refused (decision 59). */

const asAdmin = () => client({ roles: 'admin', application: 'medinfo' });
const admin = await asAdmin();

const next = 'another-long-passphrase';

/** One route that used tables before, one that used none, one that writes, and one whose account may be closed. */
async function statuses(token: string): Promise<number[]> {
  const answers = [
    await call('GET', '/users/agreements', { token }),
    await call('GET', '/iam/users/me/permissions', { token }),
    await call('PATCH', '/users/me', { token, body: { displayName: 'A' } }),
    await call('GET', '/users/me/erasure', { token }),
    await call('GET', '/auth/sessions', { token }),
  ];
  return answers.map(({ status }) => status);
}

const open = [200, 200, 200, 200, 200];
const refused = [401, 401, 401, 401, 401];

async function twoDevices() {
  const email = await newAccount();
  return { email, phone: await signInOn('Phone', email), tablet: await signInOn('Tablet', email) };
}

async function userIdOf(token: string): Promise<string> {
  return (await call('GET', '/users/me', { token })).body.userId;
}

describe('one session ends, and the other one goes on', () => {
  test('by signing out', async () => {
    const { phone, tablet } = await twoDevices();
    await call('POST', '/auth/tokens/revoke', { body: { refreshToken: phone.refreshToken } });
    expect(await statuses(phone.accessToken)).toEqual(refused);
    expect(await statuses(tablet.accessToken)).toEqual(open);
  });

  test('from the list of sessions', async () => {
    const { phone, tablet } = await twoDevices();
    const { items } = (await call('GET', '/auth/sessions', { token: tablet.accessToken })).body;
    const { sessionId } = items.find(({ device }: { device: string }) => device === 'Phone');
    expect((await call('DELETE', `/auth/sessions/${sessionId}`, { token: tablet.accessToken })).status).toBe(200);
    expect(await statuses(phone.accessToken)).toEqual(refused);
    expect(await statuses(tablet.accessToken)).toEqual(open);
  });

  test('by another password', async () => {
    const { phone, tablet } = await twoDevices();
    const body = { currentPassword: password, password: next };
    expect((await call('PUT', '/users/me/password', { token: tablet.accessToken, body })).status).toBe(200);
    expect(await statuses(phone.accessToken)).toEqual(refused);
    expect(await statuses(tablet.accessToken)).toEqual(open);
  });
});

describe('all sessions end', () => {
  test.each([
    ['from the list of sessions', async (_email: string, token: string) => call('DELETE', '/auth/sessions', { token })],
    [
      'by a reset of the password',
      async (email: string) => {
        await call('POST', '/auth/password/forgot', { body: { email } });
        const body = { email, code: await codeOf(2, email), password: next };
        return call('POST', '/auth/password/reset', { body });
      },
    ],
    [
      'by an administrator',
      async (_email: string, token: string) => admin.post(`/users/${await userIdOf(token)}/sign-out`),
    ],
    [
      'by an administrator who disables the account',
      async (_email: string, token: string) => admin.post(`/users/${await userIdOf(token)}/disable`),
    ],
    [
      'by the request to delete the account',
      async (_email: string, token: string) => call('DELETE', '/users/me', { token }),
    ],
  ])('%s', async (_how, end) => {
    const { email, phone, tablet } = await twoDevices();
    expect((await end(email, tablet.accessToken)).status).toBeLessThan(300);
    expect(await statuses(phone.accessToken)).toEqual(refused);
    expect(await statuses(tablet.accessToken)).toEqual(refused);
  });
});

test('a request that is refused has done nothing, also where a closed account may go on', async () => {
  const devices = await twoDevices();
  const { phone, tablet } = devices;
  await call('POST', '/auth/tokens/revoke', { body: { refreshToken: phone.refreshToken } });
  const of = { token: phone.accessToken };
  expect((await call('DELETE', '/users/me', of)).status).toBe(401);
  expect((await call('POST', '/users/me/exports', of)).status).toBe(401);
  const token = tablet.accessToken;
  expect((await call('GET', '/users/me/erasure', { token })).body.status).toBe('none');
  expect(await statuses(token)).toEqual(open);
  // One export a day is made: the first is the tablet's.
  expect((await call('POST', '/users/me/exports', { token })).status).toBe(202);

  expect((await call('DELETE', '/users/me', { token })).status).toBeLessThan(300);
  expect((await call('POST', '/users/me/restore', { token })).status).toBe(401);
  const { email } = devices;
  const again = (await signInOn('Phone', email)).accessToken;
  expect((await call('GET', '/users/me/erasure', { token: again })).body.status).toBe('requested');
});

test('who signs in after the end of all is let in at once', async () => {
  const { email, phone } = await twoDevices();
  await call('DELETE', '/auth/sessions', { token: phone.accessToken });
  const { accessToken } = await signInOn('Phone', email);
  expect(await statuses(accessToken)).toEqual(open);
});

test('a renewed token is refused as the first one is: it belongs to the same session', async () => {
  const { phone } = await twoDevices();
  const body = { grantType: 'refresh_token', refreshToken: phone.refreshToken };
  const renewed = (await call('POST', '/auth/tokens', { body })).body;
  await call('POST', '/auth/tokens/revoke', { body: { refreshToken: renewed.refreshToken } });
  expect(await statuses(renewed.accessToken)).toEqual(refused);
  expect(await statuses(phone.accessToken)).toEqual(refused);
});

describe('of staff', () => {
  const application = 'medinfo';
  const permissions = async (token: string) =>
    (await call('GET', '/iam/users/me/permissions', { application, token })).status;

  /** A physician who has accepted the invitation and signed in. */
  async function colleague() {
    const email = newAddress();
    const invited = await admin.post('/admin/staff', { body: { email, name: 'Dr. G', roles: ['physician'] } });
    const { staffId, invitationCode } = invited.body;
    const accepted = { ...(await invitationOf(1, email, invitationCode)), password };
    await call('POST', '/admin/staff/accept', { application, body: accepted });
    const body = { grantType: 'password', username: email, password };
    return { staffId, token: (await call('POST', '/auth/tokens', { application, body })).body.accessToken as string };
  }

  test.each([
    ['who is disabled', 'disable'],
    ['whose authenticator app is reset', 'reset-mfa'],
  ])('of a member %s', async (_who, path) => {
    const { staffId, token } = await colleague();
    expect(await permissions(token)).toBe(200);
    expect((await admin.post(`/admin/staff/${staffId}/${path}`)).status).toBe(200);
    expect(await permissions(token)).toBe(401);
  });

  test('who loses a role', async () => {
    const { staffId, token } = await colleague();
    expect(await permissions(token)).toBe(200);
    expect((await admin.delete(`/iam/users/${staffId}/roles/physician`)).status).toBe(200);
    expect(await permissions(token)).toBe(401);
  });

  test('by signing out, also where the token is exchanged and no authorizer is asked', async () => {
    const { accessToken, refreshToken } = await signedIn('physician');
    const exchange = () =>
      call('GET', '/auth/tokens/md/access', { application, headers: { Authorization: `Bearer ${accessToken}` } });
    expect([(await exchange()).status, await permissions(accessToken)]).toEqual([200, 200]);
    await call('POST', '/auth/tokens/revoke', { application, body: { refreshToken } });
    expect([(await exchange()).status, await permissions(accessToken)]).toEqual([401, 401]);
  });
});
