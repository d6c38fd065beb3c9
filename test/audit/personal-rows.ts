import { accepted, type PersonalRows } from '../personal-rows.ts';

export const personalRows: PersonalRows = async ({ userId, call, admin }) => {
  await accepted(call('GET', '/users/me'));
  await accepted(admin('PUT', `/users/${userId}/legal-hold`, { reason: 'CASE-2026-1' }));
  await accepted(admin('DELETE', `/users/${userId}/legal-hold`));
};
