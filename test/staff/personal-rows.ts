import type { PersonalRows } from '../personal-rows.ts';

/** What a member of staff has, of whoever is erased here. */
export const personalRows: PersonalRows = async ({ userId, canary, put }) => {
  const at = '2026-01-01T00:00:00.000Z';
  await put('StaffAccounts', {
    kind: 'staff',
    userId,
    email: canary,
    roles: ['physician'],
    status: 'active',
    acceptedAt: at,
    endedAt: null,
    createdAt: at,
    updatedAt: at,
    revision: 1,
    changeId: 'c',
  });
};
