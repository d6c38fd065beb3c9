import { accepted, type PersonalRows } from '../personal-rows.ts';

export const personalRows: PersonalRows = async ({ userId, canary, call, admin, put }) => {
  const created = admin('POST', '/crm/sites', { name: 'Personal rows', timezone: 'Europe/Berlin' });
  const { siteId, code } = ((await created) as unknown as { body: { siteId: string; code: string } }).body;
  await accepted(call('POST', '/users/me/sites', { code }));
  // What a member of staff has, of whoever is erased here.
  const since = '2026-01-01T00:00:00.000Z';
  await put('Staff', { userId, part: 'profile', name: canary });
  await put('Staff', { userId, part: `site#${siteId}`, siteId, since });
  await put('SiteStaff', { siteId, userId, since });
};
