import { serve } from '../../../lib/runtime/serve.ts';
import { isConsenting } from '../../access/consent-states.ts';
import { readState } from '../../consents/exports.ts';
import { StudyCodeNotFound } from '../errors.ts';
import { lookUpStudy } from '../routes.ts';
import { readCode } from '../rules/code.ts';
import { isCurrent } from '../rules/enrolment.ts';
import { askedBy } from '../rules/shown.ts';
import { isRecruiting } from '../rules/study.ts';
import { codeIdsOf, readCodeRow } from '../stores/codes.ts';
import { readEnrolment } from '../stores/enrolments.ts';
import { readStudy } from '../stores/studies.ts';

export const handler = serve(lookUpStudy)(async ({ body, caller, account, now, tables, secrets, fail }) => {
  const { userId } = caller;
  const read = readCode(body.code);
  const code = read && (await readCodeRow(tables.StudyCodes, codeIdsOf(secrets.StudyCodeKey, read)));
  if (!code) return fail(StudyCodeNotFound);
  const { studyId } = code;
  const [study, enrolment, { ends }] = await Promise.all([
    readStudy(tables.Studies, studyId),
    readEnrolment(tables.UserEnrolments, { studyId, userId }),
    account(),
  ]);
  if (!study) return fail(StudyCodeNotFound);
  const consent = await readState(tables.ConsentStates, { userId, agreementId: study.agreementId });
  const isOwn = enrolment?.codeId === code.codeId;
  return {
    ...askedBy(study),
    isOpen: isRecruiting(study, now) && (code.usedAt === undefined || isOwn),
    isAgreed: isConsenting(consent, ends),
    isParticipating: enrolment !== null && isCurrent(enrolment, consent, ends),
  };
});
