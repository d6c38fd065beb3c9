import type { PersonalRows } from '../personal-rows.ts';

export const personalRows: PersonalRows = async ({ userId, canary, put }) => {
  await put('OverviewEntries', {
    userId,
    entry: '1#sleep#2026-01-01',
    figures: ['sleep#week#2026-W01'],
    revision: 1,
    canary,
  });
};
