import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { optionalFieldDefaults } from '../../functions/crm-sites/rules/site.ts';
import { createSite } from '../../functions/crm-sites/workflows/change-site.ts';
import { putStaff } from '../../functions/crm-sites/workflows/change-staff.ts';
import { readEntry } from '../../functions/crm-users/exports.ts';
import { enterMember } from '../../functions/staff/jobs/enter-member.ts';
import { readAccount } from '../../functions/staff/stores/staff-rows.ts';
import { changeStaff } from '../../functions/staff/workflows/change-staff.ts';
import { disabling, enabling, givingRole, takingRole } from '../../functions/staff/workflows/decisions.ts';
import { inviteStaff } from '../../functions/staff/workflows/make-invitation.ts';
import { rosterKey } from '../../lib/contract/staff-accounts.ts';
import { atOnce, openStaff, realNow } from './open-staff.ts';

/** What the staff's directory says of whoever is entered, invited and administered. */

const { dynamo, tables, cognito, place, by, admins, member, events } = await openStaff();
const entry = (userId: string) => readEntry(tables.StaffDirectory, userId);

const anAdmin = async () => (await member('admin@example.com', ['admin'])).sub;

const eventsOn = async (subject: string) => (await events()).filter((event) => event.subject === subject);

test('has the same roles and state as the row, also after 20 changes at once', async () => {
  const one = await anAdmin();
  const { sub } = cognito.add('p@example.com');
  const roles = ['physician', 'researcher', 'agent', 'admin'] as const;
  const changes = Array.from({ length: 20 }, (_, index) => {
    const role = roles[index % 4] ?? 'agent';
    return changeStaff(place(), sub, index % 3 === 0 ? takingRole(role) : givingRole(role), by(one));
  });
  await Promise.all([...changes, changeStaff(place(), sub, disabling, by(one))]);
  const account = await readAccount(tables.StaffAccounts, sub);
  const { roles: listed, status } = await entry(sub);
  expect([...(listed ?? [])].toSorted()).toEqual(account?.roles);
  expect(status).toBe('disabled');
  await changeStaff(place(), sub, enabling, by(one));
  expect(await entry(sub)).toMatchObject({ status: 'active', siteIds: [] });
});

test('has people whom an operator entered, and the changes of a second run', async () => {
  const { sub: userId } = cognito.add('o@example.com');
  const enter = (roles: string[]) =>
    enterMember({ tables }, { userId, email: 'o@example.com', roles }, { actor: 'o', realNow }, atOnce);
  await Promise.all([enter(['admin']), enter(['admin'])]);
  expect(await admins()).toEqual([userId]);
  expect(await readAccount(tables.StaffAccounts, userId)).toMatchObject({ revision: 1, status: 'active' });
  await enter(['physician']);
  expect(await admins()).toEqual([]);
  expect(await entry(userId)).toMatchObject({ roles: ['physician'], status: 'active' });
});

test('a roster that somebody emptied has an administrator again, once an operator enters one anew', async () => {
  const userId = await anAdmin();
  const empty = { TableName: 'StaffAccounts', Key: rosterKey, UpdateExpression: 'REMOVE admins' };
  await dynamo.send(new UpdateCommand(empty));
  const enter = () =>
    enterMember({ tables }, { userId, email: 'admin@example.com', roles: ['admin'] }, { actor: 'o', realNow }, atOnce);
  await enter();
  await enter();
  expect(await admins()).toEqual([userId]);
  expect(await readAccount(tables.StaffAccounts, userId)).toMatchObject({ revision: 2, roles: ['admin'] });
});

test('has people who were invited to a site; a closed or unknown site accepts nobody', async () => {
  const one = await anAdmin();
  const occasion = { application: 'medinfo', actor: one, requestId: 'r', realNow, once: null };
  const described = { ...optionalFieldDefaults, name: 'Clinic', timezone: 'Europe/Berlin', now: realNow };
  const site = await createSite(tables, described, occasion);
  const invite = (email: string, siteId: string) => {
    const wanted = { email, name: 'Dr. A', roles: ['physician'], siteId, locale: null, now: realNow };
    return inviteStaff(place(), wanted, { ...by(one), once: null }, atOnce);
  };
  const invited = await invite('new@example.com', site.siteId);
  const { userId } = invited as { userId: string };
  expect(await entry(userId)).toMatchObject({ name: 'Dr. A', siteIds: [site.siteId], roles: ['physician'] });
  // An invitation broke off after the pool's user, to whom somebody gave a post since.
  const left = cognito.add('left@example.com');
  left.password = null;
  const named = { userId: left.sub, siteId: site.siteId, name: 'Dr. L', now: realNow };
  await putStaff(tables, named, occasion, atOnce);
  expect(await invite('left@example.com', site.siteId)).toMatchObject({ userId: left.sub, status: 'invited' });
  expect(await entry(left.sub)).toMatchObject({ name: 'Dr. A', siteIds: [site.siteId], roles: ['physician'] });
  const subject = `site/${site.siteId}/staff/${userId}`;
  expect(await eventsOn(subject)).toMatchObject([{ action: 'site.staff-added' }]);
  await dynamo.send(
    new UpdateCommand({
      TableName: 'Sites',
      Key: { kind: 'site', siteKey: site.siteId },
      UpdateExpression: 'SET #status = :closed',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':closed': 'closed' },
    }),
  );
  expect(await invite('other@example.com', site.siteId)).toBe('site-closed');
  expect(await invite('other@example.com', 'nowhere')).toBe('no-site');
  expect(cognito.find('other@example.com')).toBeUndefined();
});
