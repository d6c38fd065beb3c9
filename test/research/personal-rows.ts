import type { PersonalRows } from '../personal-rows.ts';

export const personalRows: PersonalRows = async ({ userId, put }) => {
  const enrolment = {
    studyId: 'of-personal-rows',
    userId,
    enrolledAt: '2026-01-01T00:00:00.000Z',
    leftAt: '2026-01-02T00:00:00.000Z',
    group: 'early',
    agreementId: 'research-data',
    consentId: 'c',
    consentRecordedAt: '2026-01-01T00:00:00.000Z',
    consentSequence: 1,
    keepExported: false,
    codeId: 'k',
    revision: 1,
  };
  await put('Enrolments', enrolment);
  await put('UserEnrolments', enrolment);
};
