import type { PersonalRows } from '../personal-rows.ts';

/** Of who administers, which is a person, too. */
export const personalRows: PersonalRows = async ({ userId, put }) => {
  const row = { settingId: 'deleted', type: 'boolean', definition: null, revision: 1, changeId: 'c' };
  await put('MobileSettings', { application: 'medinfo', ...row, updatedAt: '2026-01-01', updatedBy: userId });
};
