import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Answer, call, client } from '../api.ts';
import { eventually } from '../eventually.ts';
import { invitationOf, mailsTo } from '../mails.ts';

/** An administrator invites a colleague, gives and takes roles, finds and disables a user: over HTTP, with the mail that comes. */

const application = 'medinfo';
const password = 'correct-horse-battery';

async function signIn(username: string): Promise<Answer> {
  return call('POST', '/auth/tokens', { application, body: { grantType: 'password', username, password } });
}

const may = async (token: string, path = '/iam/users/me/permissions') => {
  const { status, body } = await call('GET', path, { application, token });
  return { status, roles: body.roles };
};

test('an administrator, a colleague and a user', async () => {
  const admin = await client({ application, roles: 'admin' });
  const email = `grace-${randomUUID()}@example.com`;
  const site = await admin.post('/crm/sites', { body: { name: 'Example clinic', timezone: 'Europe/Berlin' } });

  // The colleague is invited: by a double click once.
  const headers = { 'Idempotency-Key': randomUUID() };
  const body = { email, name: 'Dr. Grace Example', roles: ['physician'], siteId: site.body.siteId, locale: 'de' };
  const invitations = await Promise.all([1, 2].map(() => admin.post('/admin/staff', { body, headers })));
  expect(invitations.map(({ status }) => status)).toEqual([201, 201]);
  const [{ staffId }, again] = invitations.map((answer) => answer.body);
  expect(again.staffId).toBe(staffId);
  expect(invitations[0]?.body).toMatchObject({ email, roles: ['physician'], status: 'invited', name: body.name });
  const entry = () => admin.get(`/crm/users/${staffId}`);
  const listed = { name: body.name, siteIds: [site.body.siteId], roles: ['physician'], status: 'active' };
  expect((await entry()).body).toMatchObject(listed);
  const other = await admin.post('/admin/staff', { body });
  expect(other).toMatchObject({ status: 409, body: { code: 'STAFF_EXISTS' } });

  // An address that the user pool would refuse.
  for (const wrong of [
    'grace@example',
    'gräce@example.com',
    `${'g'.repeat(120)}@example.com`,
    '"grace g"@example.com',
  ]) {
    const refused = await admin.post('/admin/staff', { body: { ...body, email: wrong } });
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  }

  // Nobody signs in before; the mail's link and the code of the answer let the colleague choose a password.
  expect((await signIn(email)).status).toBe(401);
  const { invitationCode } = again;
  expect(invitations.map((answer) => answer.body.invitationCode)).toEqual([invitationCode, invitationCode]);
  const accept = async (count: number, code: string) =>
    call('POST', '/admin/staff/accept', {
      application,
      body: { ...(await invitationOf(count, email, code)), password },
    });
  const wrong = invitationCode === '00000000' ? '00000001' : '00000000';
  expect(await accept(1, wrong)).toMatchObject({ status: 400, body: { code: 'INVITATION_INVALID' } });
  expect((await accept(1, invitationCode)).status).toBe(200);
  const first = await signIn(email);
  expect(first.status).toBe(200);
  expect(await may(first.body.accessToken)).toEqual({ status: 200, roles: ['physician'] });
  expect((await may(first.body.accessToken, '/crm/patients')).status).toBe(200);

  // Roles are given, and taken: tokens of the session before are refused, and the next sign-in has what is left.
  const roleOf = (role: string) => `/iam/users/${staffId}/roles/${role}`;
  expect((await admin.put(roleOf('researcher'))).body).toEqual({ userId: staffId, roles: ['physician', 'researcher'] });
  const unused = (
    await call('POST', '/auth/tokens', {
      application,
      body: { grantType: 'refresh_token', refreshToken: first.body.refreshToken },
    })
  ).body;
  expect((await admin.delete(roleOf('physician'))).body).toEqual({ userId: staffId, roles: ['researcher'] });
  expect((await may(unused.accessToken)).status).toBe(401);
  const renewal = await call('POST', '/auth/tokens', {
    application,
    body: { grantType: 'refresh_token', refreshToken: unused.refreshToken },
  });
  expect(renewal).toMatchObject({ status: 401, body: { code: 'INVALID_GRANT' } });
  expect((await entry()).body).toMatchObject({ ...listed, roles: ['researcher'] });
  // A sign-in within the second of the change is as old as the change.
  const second = await eventually(async () => {
    const { body: tokens } = await signIn(email);
    expect(await may(tokens.accessToken)).toEqual({ status: 200, roles: ['researcher'] });
    return tokens;
  });
  expect((await may(second.accessToken, '/admin/staff')).status).toBe(403);
  expect((await admin.get(`/iam/users/${staffId}/roles`)).body.roles).toEqual(['researcher']);
  expect((await admin.put(roleOf('chief'))).body.code).toBe('ROLE_NOT_FOUND');
  expect((await admin.put(`/iam/users/${randomUUID()}/roles/admin`)).body.code).toBe('STAFF_NOT_FOUND');

  // The colleague becomes an administrator, and is none to themselves.
  await admin.put(roleOf('admin'));
  const third = await eventually(async () => {
    const { body: tokens } = await signIn(email);
    expect((await may(tokens.accessToken, '/admin/staff')).status).toBe(200);
    return tokens;
  });
  const self = await call('DELETE', roleOf('admin'), { application, token: third.accessToken });
  expect(self).toMatchObject({ status: 403, body: { code: 'OWN_ACCOUNT' } });

  // A user is found by each way, disabled, and cannot be found as staff.
  const user = randomUUID();
  const patient = await client({ user });
  const { userId, createdAt } = (await patient.get('/users/me')).body;
  const byColleague = (method: string, path: string, options = {}) =>
    call(method, path, { application, token: third.accessToken, ...options });
  const created = new URLSearchParams({ from: createdAt, limit: '100' });
  const isListed = async (query: string) =>
    eventually(async () => {
      const { status, body: page } = await byColleague('GET', `/users?${query}`);
      expect(status).toBe(200);
      expect(page.items.map((each: { userId: string }) => each.userId)).toContain(userId);
    });
  await patient.post('/support/tickets', { body: { subject: 'Help', body: 'How do I begin?' } });
  const group = (await admin.post('/groups', { body: { name: 'Pilot', kind: 'patients' } })).body;
  const inGroup = `groupId=${group.groupId}`;
  expect((await byColleague('GET', `/users?${inGroup}`)).body.items).toEqual([]);
  await admin.put(`/groups/${group.groupId}/members/${userId}`);
  await isListed(inGroup);
  await isListed(`${inGroup}&${created}&status=active`);
  expect((await byColleague('GET', `/users?${inGroup}&status=disabled`)).body.items).toEqual([]);
  expect((await byColleague('GET', '/users?groupId=nobody')).body.code).toBe('GROUP_NOT_FOUND');
  const agent = await client({ application, roles: 'agent' });
  expect((await agent.get(`/users?${inGroup}`)).status).toBe(403);
  await isListed(`${created}`);
  await isListed(`${created}&status=active`);
  expect((await byColleague('GET', `/users?${created}&status=disabled`)).body.items.length).toBe(0);
  expect((await byColleague('POST', `/users/${userId}/disable`)).body).toMatchObject({ userId, status: 'disabled' });
  expect((await byColleague('GET', `/users/${userId}`)).body).toMatchObject({ userId, status: 'disabled' });
  await isListed(`${created}&status=disabled`);
  expect((await byColleague('POST', `/users/${userId}/disable`)).status).toBe(200);
  expect((await byColleague('POST', `/users/${userId}/enable`)).body.status).toBe('active');
  expect((await byColleague('POST', `/users/${userId}/sign-out`)).body).toEqual({ success: true, userId });
  expect((await byColleague('POST', `/users/${userId}/resend-verification`)).status).toBe(200);
  expect((await byColleague('POST', `/users/${staffId}/disable`)).body.code).toBe('USER_NOT_FOUND');
  const erasure = await byColleague('POST', `/users/${userId}/erasure`);
  expect(erasure).toMatchObject({ status: 200, body: { userId, status: 'requested' } });
  // A sign-in after it: the sessions until then may have ended.
  const anew = await client({ user });
  expect((await anew.get('/users/me/sites')).body.code).toBe('ACCOUNT_CLOSED');
  expect((await byColleague('POST', `/users/${userId}/enable`)).body.code).toBe('USER_NOT_FOUND');

  // All of it is audited, by whom and to whom, and in the person's own log.
  const said = await admin.get(`/admin/audit-events?subject=user/${userId}&limit=100`);
  expect(said.body.items.map(({ action, actor }: Record<string, string>) => [action, actor])).toEqual(
    ['erasure-requested', 'verification-resent', 'signed-out', 'enabled', 'disabled'].map((what) => [
      `user.${what}`,
      staffId,
    ]),
  );

  // The overview counts what happened.
  await eventually(async () => {
    const { status, body: overview } = await byColleague('GET', '/admin/overview');
    expect(status).toBe(200);
    expect(overview.users.byWeek.at(-1).count).toBeGreaterThan(0);
    const inStates = overview.tickets.map(({ count }: { count: number }) => count);
    expect(inStates.reduce((sum: number, count: number) => sum + count)).toBeGreaterThan(0);
  });

  // The colleague is disabled, by name and with the revision that was read.
  const read = await admin.get(`/admin/staff/${staffId}`);
  const named = { body: { name: 'Dr. G. Example' } };
  expect((await admin.patch(`/admin/staff/${staffId}`, named)).status).toBe(428);
  const ifMatch = { 'If-Match': read.headers.get('etag') ?? '' };
  expect((await admin.patch(`/admin/staff/${staffId}`, { ...named, headers: ifMatch })).body.name).toBe(
    'Dr. G. Example',
  );
  // The answer was lost, and the same change comes again; another one of somebody who has not seen it is refused.
  expect((await admin.patch(`/admin/staff/${staffId}`, { ...named, headers: ifMatch })).status).toBe(200);
  const unseen = { body: { name: 'Dr. H. Example' }, headers: ifMatch };
  expect((await admin.patch(`/admin/staff/${staffId}`, unseen)).status).toBe(412);
  expect((await admin.post(`/admin/staff/${staffId}/disable`)).body.status).toBe('disabled');
  expect((await entry()).body).toMatchObject({ name: 'Dr. G. Example', status: 'disabled' });
  expect((await signIn(email)).status).toBe(401);
  expect((await admin.post(`/admin/staff/${staffId}/enable`)).body.status).toBe('active');

  // A lost phone: neither the password counts any more, nor a code from before; another invitation lets the colleague choose another.
  const mails = (await mailsTo(email)).length;
  const reset = (await admin.post(`/admin/staff/${staffId}/reset-mfa`)).body;
  expect(reset.status).toBe('invited');
  expect((await signIn(email)).status).toBe(401);
  expect((await accept(mails + 1, reset.invitationCode)).status).toBe(200);
  expect((await admin.get(`/admin/staff/${staffId}`)).body.status).toBe('active');
  await eventually(async () => expect((await may((await signIn(email)).body.accessToken)).status).toBe(200));
});
