import { randomBytes } from 'node:crypto';
import type { KeyRing } from '../../../lib/contract/key-ring.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { keyIdIn, ringFrom, seal, UnknownKey, unseal } from '../../../lib/runtime/hmac-and-encrypt.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { audited } from '../../audit/exports.ts';
import type { AuditOccasion } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { IdempotencyKeyReused } from '../../idempotency/errors.ts';
import { recall, rememberedIn } from '../../idempotency/exports.ts';
import type { Once } from '../../idempotency/rules.ts';
import type { IdempotencyKeys } from '../../idempotency/tables.ts';
import { studyCodeRenewed, studyInvitationsIssued } from '../audit-actions.ts';
import { subjectOf } from '../rules/audit-subject.ts';
import { codeLength, newCode } from '../rules/code.ts';
import type { StudyState } from '../rules/study.ts';
import { codeIdOf, deleteCode, putNewCode } from '../stores/codes.ts';
import { putStudy, readStudy } from '../stores/studies.ts';
import type { Studies, StudyCodes } from '../tables.ts';

/** The codes of a study. What an answer says of them is kept sealed for the day of its `Idempotency-Key`, and else nowhere. */

type Dependencies = {
  readonly tables: {
    readonly Studies: Studies<'get'>;
    readonly StudyCodes: StudyCodes<'put'>;
    readonly AuditEvents: AuditEvents<'put'>;
    readonly IdempotencyKeys: IdempotencyKeys<'get' | 'put'>;
  };
  readonly secret: KeyRing;
};
type Renewing = Dependencies & {
  readonly tables: {
    readonly Studies: Studies<'put' | 'update'>;
    readonly StudyCodes: StudyCodes<'remove'>;
  };
};
type CodeRequest = AuditOccasion & { readonly once: Once | null; readonly now: Date };
type Invitation = { readonly invitationId: string; readonly code: string };
type Refused<Why extends string> = { readonly refused: Why };

const sealUse = 'study-code seal';
const code = () => newCode(randomBytes(codeLength));

/** Codes are made while somebody can still join by them. */
function takesCodes(state: StudyState): boolean {
  return state === 'draft' || state === 'recruiting';
}

/**
 * Gives a study another code; the one until now lets nobody in from then on.
 *
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts; `IDEMPOTENCY_KEY_REUSED`
 */
export async function renewCode(
  { tables, secret }: Renewing,
  studyId: string,
  { once, now, ...occasion }: CodeRequest,
): Promise<{ readonly code: string } | Refused<'no-study' | 'not-recruiting'>> {
  return retryOnContention<{ readonly code: string } | Refused<'no-study' | 'not-recruiting'>>(async () => {
    const [made, before] = await Promise.all([
      recall(tables.IdempotencyKeys, once),
      readStudy(tables.Studies, studyId),
    ]);
    if (made) return { code: opened(secret, made.sealed ?? '', studyId).text };
    if (!before) return { refused: 'no-study' };
    if (!takesCodes(before.state)) return { refused: 'not-recruiting' };
    const fresh = code();
    const codeId = codeIdOf(secret, fresh);
    const { revision } = before;
    const study = { ...before, codeId, revision: revision + 1, changeId: occasion.requestId };
    const isDone = await commit([
      ...putStudy(tables.Studies, study, before),
      putNewCode(tables.StudyCodes, { codeId, studyId, kind: 'study', group: null, createdAt: now.toISOString() }),
      ...(before.codeId === null ? [] : [deleteCode(tables.StudyCodes, before.codeId)]),
      ...rememberedIn(tables.IdempotencyKeys, once, { sealed: seal(secret, sealUse, fresh, studyId) }),
      // Not the codes, nor their hashes.
      audited(tables.AuditEvents, occasion, {
        action: studyCodeRenewed,
        subject: subjectOf(studyId),
        before: { revision },
        after: { revision: study.revision },
      }),
    ]);
    return isDone ? { code: fresh } : contended;
  });
}

/**
 * Issues invitations, all or none.
 *
 * @throws as `renewCode`
 */
export async function invite(
  { tables, secret }: Dependencies,
  { studyId, count, group }: { studyId: string; count: number; group: string | null },
  { once, now, ...occasion }: CodeRequest,
): Promise<{ readonly invitations: Invitation[] } | Refused<'no-study' | 'not-recruiting' | 'no-group'>> {
  return retryOnContention<
    { readonly invitations: Invitation[] } | Refused<'no-study' | 'not-recruiting' | 'no-group'>
  >(async () => {
    const [made, study] = await Promise.all([recall(tables.IdempotencyKeys, once), readStudy(tables.Studies, studyId)]);
    const shown = (ring: KeyRing, codes: readonly string[]) => ({
      invitations: codes.map((each) => ({ invitationId: codeIdOf(ring, each), code: each })),
    });
    if (made) {
      const { ring, text } = opened(secret, made.sealed ?? '', studyId);
      return shown(ring, text.split(','));
    }
    if (!study) return { refused: 'no-study' };
    if (!takesCodes(study.state)) return { refused: 'not-recruiting' };
    if (group !== null && !study.groups.includes(group)) return { refused: 'no-group' };
    const codes = Array.from({ length: count }, code);
    const isDone = await commit([
      ...codes.map((each) =>
        putNewCode(tables.StudyCodes, {
          codeId: codeIdOf(secret, each),
          studyId,
          kind: 'invitation',
          group,
          createdAt: now.toISOString(),
        }),
      ),
      ...rememberedIn(tables.IdempotencyKeys, once, { sealed: seal(secret, sealUse, codes.join(), studyId) }),
      audited(tables.AuditEvents, occasion, {
        action: studyInvitationsIssued,
        subject: subjectOf(studyId),
        before: null,
        after: { count, group },
      }),
    ]);
    return isDone ? shown(secret, codes) : contended;
  });
}

/**
 * What the first answer said, and the secret with the key first that it was made with: the codes' ids are of that key.
 *
 * @throws a Failure `IDEMPOTENCY_KEY_REUSED` where the key is gone: the codes cannot be shown again
 */
function opened(secret: KeyRing, sealed: string, studyId: string): { ring: KeyRing; text: string } {
  try {
    const ring = ringFrom(secret, keyIdIn(sealed));
    return { ring, text: unseal(ring, sealUse, sealed, studyId) };
  } catch (error) {
    throw error instanceof UnknownKey ? new Failure(IdempotencyKeyReused) : error;
  }
}
