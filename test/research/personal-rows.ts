import type { PersonalRows } from '../personal-rows.ts';

export const personalRows: PersonalRows = async ({ userId, put }) => {
  const enrolment = {
    studyId: 'of-personal-rows',
    userId,
    enrolledAt: '2026-01-01T00:00:00.000Z',
    // Of a study that is not there: it is erased all the same.
    leftAt: null,
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
