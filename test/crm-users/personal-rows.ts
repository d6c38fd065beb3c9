import type { PersonalRows } from '../personal-rows.ts';

export const personalRows: PersonalRows = async ({ userId, canary, put }) => {
  const entry = {
    userId,
    name: canary,
    title: canary,
    specialties: [canary],
    siteIds: [],
    roles: null,
    status: 'active',
  };
  await put('StaffDirectory', { part: userId, place: 'entry', ...entry, revision: 1 });
  // Its second row is made of the name as it is folded.
  const folded = canary
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .replaceAll(/(?<=[aou])e/g, '')
    .trim();
  await put('StaffDirectory', { part: '~names', place: `${folded} #${userId}`, ...entry, revision: 1 });
};
