import { endAfter } from '../../../lib/contract/accounts.ts';
import { revisionOf } from '../../../lib/contract/revision.ts';
import { type ConsentState, isConsenting } from '../../access/consent-states.ts';
import { isRecruiting, type Study } from './study.ts';

/** Who takes part in a study, and on which consent. Pure: times are arguments. */

export type Enrolment = {
  readonly studyId: string;
  readonly userId: string;
  readonly enrolledAt: string;
  /** Null while the user takes part. */
  readonly leftAt: string | null;
  /** As the invitation says; the code of a study puts nobody into a group. */
  readonly group: string | null;
  /** The record of the consent that it rests on: which agreement, when, and its number in the chain. */
  readonly agreementId: string;
  readonly consentId: string;
  readonly consentRecordedAt: string;
  readonly consentSequence: number;
  /** Whether what was exported may be kept after the participant left. */
  readonly keepExported: boolean;
  /** The hash of the code by which the user came in. */
  readonly codeId: string;
  /** Counts the changes, from 1. */
  readonly revision: number;
};

/** Of a user at a time: the transaction that ends a shared consent changes two rows for each. */
const mostStudies = 20;

export type Code = {
  readonly codeId: string;
  readonly studyId: string;
  readonly kind: 'study' | 'invitation';
  readonly group: string | null;
  readonly createdAt: string;
  /** Of an invitation that was used; by whom is not said. */
  readonly usedAt?: string;
};

type Consent = Pick<ConsentState, 'action' | 'recordedAt' | 'recordId' | 'sequence'>;

/** Whether the user takes part, as far as the latest record says: a revocation counts before the row says so. */
export function isCurrent(
  enrolment: Pick<Enrolment, 'leftAt' | 'consentRecordedAt'>,
  consent: Consent | null,
  ends: readonly string[],
): boolean {
  return (
    enrolment.leftAt === null && isConsenting(consent, ends) && endAfter(enrolment.consentRecordedAt, ends) === null
  );
}

export type Seen = {
  readonly code: Code;
  readonly study: Study;
  readonly enrolment: Enrolment | null;
  readonly consent: Consent | null;
  /** Of the account, in order. */
  readonly ends: readonly string[];
  /** In which the user takes part, as the rows say. */
  readonly studies: number;
};

export type Joining =
  | { readonly kind: 'known'; readonly enrolment: Enrolment }
  /** `isCounted`: the row before already counts as a participant. */
  | { readonly kind: 'join'; readonly enrolment: Enrolment; readonly isCounted: boolean }
  | { readonly kind: 'used' | 'not-recruiting' | 'consent-missing' | 'too-many' };

/** A participant needs no code: a repeated request gets the answer of the first one. */
export function decideJoin(
  userId: string,
  { code, study, enrolment, consent, ends, studies }: Seen,
  now: Date,
): Joining {
  const rests = enrolment !== null && enrolment.consentSequence === consent?.sequence;
  if (rests && isCurrent(enrolment, consent, ends)) return { kind: 'known', enrolment };
  if (!isRecruiting(study, now)) return { kind: 'not-recruiting' };
  if (code.usedAt !== undefined && !isOwn(code, enrolment)) return { kind: 'used' };
  if (!isConsenting(consent, ends)) return { kind: 'consent-missing' };
  const isCounted = enrolment !== null && enrolment.leftAt === null;
  if (!isCounted && studies >= mostStudies) return { kind: 'too-many' };
  const joined = {
    studyId: study.studyId,
    userId,
    enrolledAt: now.toISOString(),
    leftAt: null,
    group: code.group ?? enrolment?.group ?? null,
    agreementId: study.agreementId,
    consentId: consent.recordId,
    consentRecordedAt: consent.recordedAt,
    consentSequence: consent.sequence,
    keepExported: false,
    codeId: code.codeId,
    revision: revisionOf(enrolment?.revision) + 1,
  };
  return { kind: 'join', enrolment: joined, isCounted };
}

/** An invitation lets the same user in again: who was invited and left can come back. */
function isOwn({ codeId }: Code, enrolment: Enrolment | null): boolean {
  return enrolment?.codeId === codeId;
}

/** The enrolment after the user left it, by whatever way. */
export function left(
  enrolment: Enrolment,
  { leftAt, keepExported }: Pick<Enrolment, 'keepExported'> & { leftAt: string },
): Enrolment {
  return { ...enrolment, leftAt, keepExported, revision: revisionOf(enrolment.revision) + 1 };
}

/** Whether that revocation ends it: a later consent than the revoked one carries it on. */
export function endsBy(
  enrolment: Pick<Enrolment, 'leftAt' | 'consentSequence'>,
  revocation: Pick<Consent, 'sequence'>,
): boolean {
  return enrolment.leftAt === null && enrolment.consentSequence < revocation.sequence;
}
