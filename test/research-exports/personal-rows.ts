import type { PersonalRows } from '../personal-rows.ts';

/** The rows hold pseudonyms only. The user's id stands for one here, so that the test finds them. */
export const personalRows: PersonalRows = async ({ userId, put }) => {
  const row = { studyId: 'of-personal-rows', exportId: 'of-personal-rows', pseudonym: userId };
  await put('ResearchExportContents', { ...row, participantKey: `${row.studyId}#${userId}` });
  await put('ResearchExportNotices', { ...row, noticeKey: `2026-01-01#${row.exportId}#${userId}`, occasion: 'left' });
};
