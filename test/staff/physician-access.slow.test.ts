import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { call, client } from '../api.ts';
import { eventually } from '../eventually.ts';
import { invitationOf } from '../mails.ts';

const application = 'medinfo';
const password = 'correct-horse-battery';

test('the row decides who is a physician, also for earlier tokens: a role that was taken away or given again, a disabled account', async () => {
  const admin = await client({ application, roles: 'admin' });
  const email = `ada-${randomUUID()}@example.com`;
  const invited = await admin.post('/admin/staff', { body: { email, name: 'Ada', roles: ['physician'] } });
  const { staffId, invitationCode } = invited.body;
  // Whatever token somebody has of a person who was only invited: it has no role.
  const early = await client({ application, user: staffId, roles: 'physician' });
  expect((await early.get('/crm/patients')).status).toBe(401);
  const body = { ...(await invitationOf(1, email, invitationCode)), password };
  expect((await call('POST', '/admin/staff/accept', { application, body })).status).toBe(200);
  const signIn = async () =>
    (await call('POST', '/auth/tokens', { application, body: { grantType: 'password', username: email, password } }))
      .body;
  const access = async (token: string) => {
    const answer = await call('GET', '/auth/tokens/md/access', {
      application,
      headers: { Authorization: `Bearer ${token}` },
    });
    return [answer.status, answer.body.code];
  };
  const before = await signIn();
  expect(await access(before.accessToken)).toEqual([200, undefined]);

  expect((await admin.delete(`/iam/users/${staffId}/roles/physician`)).status).toBe(200);
  expect(await access(before.accessToken)).toEqual([401, 'UNAUTHENTICATED']);
  expect(await access(before.refreshToken)).toEqual([401, 'INVALID_GRANT']);
  // A sign-in within the second of the change is as old as the change.
  const without = await eventually(async () => {
    const tokens = await signIn();
    expect(await access(tokens.accessToken)).toEqual([403, 'FORBIDDEN']);
    return tokens;
  });
  expect((await admin.put(`/iam/users/${staffId}/roles/physician`)).status).toBe(200);
  expect(await access(without.accessToken)).toEqual([200, undefined]);

  expect((await admin.post(`/admin/staff/${staffId}/disable`)).status).toBe(200);
  expect(await access(without.accessToken)).toEqual([401, 'UNAUTHENTICATED']);
});
