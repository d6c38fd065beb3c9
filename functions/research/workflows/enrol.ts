import { commit } from '../../../lib/runtime/commit.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { ConsentState, ConsentStates } from '../../access/consent-states.ts';
import { readState } from '../../consents/exports.ts';
import { type Code, decideJoin, type Enrolment } from '../rules/enrolment.ts';
import type { Study } from '../rules/study.ts';
import { putUsedInvitation, readCodeRow } from '../stores/codes.ts';
import { stillConsents } from '../stores/consent-condition.ts';
import { putEnrolment, readEnrolmentsOf } from '../stores/enrolments.ts';
import { enter, readStudy } from '../stores/studies.ts';
import type { Enrolments, Studies, StudyCodes, UserEnrolments } from '../tables.ts';

type EnrolTables = {
  readonly StudyCodes: StudyCodes<'get' | 'put'>;
  readonly Studies: Studies<'get' | 'update'>;
  readonly UserEnrolments: UserEnrolments<'query' | 'put'>;
  readonly Enrolments: Enrolments<'put'>;
  readonly ConsentStates: ConsentStates<'get' | 'check'>;
};

type Wish = {
  readonly userId: string;
  /** One for each known key. */
  readonly codeIds: readonly string[];
  readonly ends: readonly string[];
  readonly now: Date;
};

export type Joined =
  | { readonly kind: 'done'; readonly study: Study; readonly enrolment: Enrolment; readonly consent: ConsentState }
  | { readonly kind: 'unknown' | 'used' | 'not-recruiting' | 'too-many' }
  | { readonly kind: 'consent-missing'; readonly agreementId: string };

/** Many at once in one room meet at the counter shards. */
const retries = 10;

/**
 * Lets a user into the study of a code. What it is decided on holds when it is written, or nothing is: the consent is that very one,
 * the study recruits, the code is its code, or nobody has used the invitation.
 *
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function joinStudy(
  tables: EnrolTables,
  { userId, codeIds, ends, now }: Wish,
  options: RetryOptions = {},
): Promise<Joined> {
  const attempt = async (): Promise<Joined | typeof contended> => {
    const code = await readCodeRow(tables.StudyCodes, codeIds);
    if (!code) return { kind: 'unknown' };
    const { studyId } = code;
    const [study, enrolments] = await Promise.all([
      readStudy(tables.Studies, studyId),
      readEnrolmentsOf(tables.UserEnrolments, userId),
    ]);
    if (!study) return { kind: 'unknown' };
    const { agreementId } = study;
    const consent = await readState(tables.ConsentStates, { userId, agreementId });
    const enrolment = enrolments.find((each) => each.studyId === studyId) ?? null;
    const studies = enrolments.filter(({ leftAt }) => leftAt === null).length;
    const decision = decideJoin(userId, { code, study, enrolment, consent, ends, studies }, now);
    if (decision.kind === 'consent-missing') return { kind: decision.kind, agreementId };
    if (decision.kind !== 'known' && decision.kind !== 'join') return { kind: decision.kind };
    if (!consent) return { kind: 'consent-missing', agreementId };
    const done = { kind: 'done' as const, study, enrolment: decision.enrolment, consent };
    if (decision.kind === 'known') return done;
    const isDone = await commit([
      stillConsents(tables.ConsentStates, consent),
      enter(tables.Studies, { studyId, userId, codeId: doorCode(code), isCounted: decision.isCounted }),
      ...putEnrolment(tables, decision.enrolment, enrolment),
      ...(code.kind === 'invitation' && code.usedAt === undefined
        ? [putUsedInvitation(tables.StudyCodes, code, now.toISOString())]
        : []),
    ]);
    return isDone ? done : contended;
  };
  return retryOnContention<Joined>(attempt, { retries, ...options });
}

function doorCode({ kind, codeId }: Code): string | null {
  return kind === 'study' ? codeId : null;
}
