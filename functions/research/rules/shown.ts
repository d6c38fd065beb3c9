import { endAfter } from '../../../lib/contract/accounts.ts';
import type { ConsentState } from '../../access/consent-states.ts';
import { type Enrolment, isCurrent } from './enrolment.ts';
import { collectedBy, type Study } from './study.ts';

/** A study as the API shows it. Pure. */

/** To staff: that there is a code, and not its hash. */
export function studyForStaff(study: Study) {
  const { studyId, title, state, codeId, createdAt } = study;
  return { studyId, title, ...writable(study), state, hasCode: codeId !== null, createdAt };
}

/** A response's lists can be changed, those of a rule cannot. */
function writable(study: Study) {
  const { agreementId, dataClasses, period, groups, quasiIdentifiers, shiftDates } = collectedBy(study);
  return {
    agreementId,
    dataClasses: [...dataClasses],
    period,
    groups: [...groups],
    quasiIdentifiers: [...quasiIdentifiers],
    shiftDates,
  };
}

/** What it asks of a participant: not which groups there are, nor whose one is in. */
export function askedBy(study: Study) {
  const { studyId, title } = study;
  const { agreementId, dataClasses, period, quasiIdentifiers, shiftDates } = writable(study);
  return {
    studyId,
    title,
    agreementId,
    dataClasses,
    period,
    profileFields: quasiIdentifiers.flatMap(({ field }) => (field === 'group' ? [] : [field])),
    shiftDates,
  };
}

/** @param consent the latest record of the study's agreement; a revocation counts before the row says so */
export function ownStudy(
  study: Study,
  enrolment: Enrolment,
  consent: Pick<ConsentState, 'action' | 'recordedAt' | 'recordId' | 'sequence'> | null,
  ends: readonly string[],
) {
  const isParticipating = isCurrent(enrolment, consent, ends);
  const endedAt = consent?.action === 'revoked' ? consent.recordedAt : endAfter(enrolment.consentRecordedAt, ends);
  return {
    ...askedBy(study),
    enrolledAt: enrolment.enrolledAt,
    isParticipating,
    leftAt: enrolment.leftAt ?? (isParticipating ? null : endedAt),
    keepExported: isParticipating ? null : enrolment.keepExported,
  };
}
