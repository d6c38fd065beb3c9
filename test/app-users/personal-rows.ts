import type { PersonalRows } from '../personal-rows.ts';

/**
 * The lists follow the profile by themselves; here are the rows of one user in them. They have the profile's time, and so the keys
 * that the lists' own consumer gives them, whichever of both comes first.
 */
export const personalRows: PersonalRows = async ({ userId, canary, call, put }) => {
  const profile = (await call('GET', '/users/me')) as unknown as { body: { createdAt: string } };
  const { createdAt } = profile.body;
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
