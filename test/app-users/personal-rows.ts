import type { PersonalRows } from '../personal-rows.ts';

/** The lists follow the profile by themselves; here are the rows of one user in them. */
export const personalRows: PersonalRows = async ({ userId, canary, put }) => {
  const createdAt = '2026-01-01T00:00:00.000Z';
  await put('UserDirectory', {
    list: `user#${userId}`,
    entry: 'user',
    userId,
    createdAt,
    status: 'active',
    revision: 1,
    canary,
  });
  for (const list of ['all', 'status#active'])
    await put('UserDirectory', { list, entry: `${createdAt}#${userId}`, userId });
};
