import type { PersonalRows } from '../personal-rows.ts';

/** Of who administers, which is a person, too. */
export const personalRows: PersonalRows = async ({ userId, put }) => {
  await put('AppVersionPolicies', { application: 'sleepcare', platform: 'none', updatedBy: userId });
};
