import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Unavailable } from '../../../lib/contract/common-errors.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { get, put, remove, update } from '../../../lib/runtime/rows.ts';
import { auditPut } from '../../audit/exports.ts';
import { type AuditEvent, auditEvent } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { recoveryCodesIssued } from '../audit-actions.ts';
import { codeCount, codeLength, newRecoveryCode, readRecoveryCode } from '../rules/recovery-code.ts';
import type { RecoveryCodes } from '../tables.ts';

/** Table `RecoveryCodes`: of each user one row with the hashes of the codes that are left. */

type IssueDependencies = {
  readonly tables: {
    readonly RecoveryCodes: RecoveryCodes<'put'>;
    readonly AuditEvents: AuditEvents<'put'>;
  };
};

type LeftDependencies = { readonly tables: { readonly RecoveryCodes: RecoveryCodes<'get'> } };

export type TakeDependencies = LeftDependencies & {
  readonly tables: {
    readonly RecoveryCodes: RecoveryCodes<'update'>;
    readonly AuditEvents: AuditEvents<'put'>;
  };
};

/** The codes from before are worth nothing from then on. @returns the only copy of the new ones */
export async function issueCodes(
  { tables }: IssueDependencies,
  userId: string,
  occasion: Pick<AuditEvent, 'application' | 'requestId'> & { readonly realNow: Date },
): Promise<string[]> {
  const codes = Array.from({ length: codeCount }, () => newRecoveryCode(randomBytes(codeLength)));
  const hashes = new Set(codes.map((code) => hashOf(userId, readRecoveryCode(code) ?? '')));
  const said = {
    action: recoveryCodesIssued,
    subject: `user/${userId}`,
    before: null,
    after: { count: codeCount },
  };
  const event = auditEvent({ ...occasion, ...said, actor: userId, random: randomUUID() });
  const Item = { userId, hashes, issuedAt: event.at };
  const items = [put(tables.RecoveryCodes, Item), ...ofStaff(tables.AuditEvents, event)];
  if (!(await commit(items))) throw new Failure(Unavailable);
  return codes;
}

/** Whether the code is one of the user's that are left; nothing changes. Strongly consistent. */
export async function isLeft(
  { tables }: LeftDependencies,
  userId: string,
  typed: string,
): Promise<{ hash: string; left: number } | null> {
  const code = readRecoveryCode(typed);
  if (code === null) return null;
  const row = await get(tables.RecoveryCodes, { userId });
  const hashes = row?.hashes ?? new Set();
  const hash = hashOf(userId, code);
  return hashes.has(hash) ? { hash, left: hashes.size - 1 } : null;
}

/**
 * Takes the code from those that are left, for staff with its audit event: of requests at once one gets it.
 *
 * @param eventOf makes the audit event, from the number of codes that are left afterwards
 * @returns false where it was taken before
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function takeCode(
  deps: TakeDependencies,
  userId: string,
  typed: string,
  eventOf: (left: number) => AuditEvent,
): Promise<boolean> {
  const { tables } = deps;
  return retryOnContention(async () => {
    const found = await isLeft(deps, userId, typed);
    if (!found) return false;
    const taken = update(
      tables.RecoveryCodes,
      { userId },
      {
        UpdateExpression: 'DELETE hashes :one',
        // The event tells how many are left.
        ConditionExpression: 'contains(hashes, :hash) AND size(hashes) = :count',
        ExpressionAttributeValues: { ':one': new Set([found.hash]), ':hash': found.hash, ':count': found.left + 1 },
      },
    );
    return (await commit([taken, ...ofStaff(tables.AuditEvents, eventOf(found.left))])) || contended;
  });
}

/** Audit events are kept for good, so a patient has none: the mail tells the patient. */
function ofStaff(table: AuditEvents<'put'>, event: AuditEvent) {
  return event.application === 'medinfo' ? [auditPut(table, event)] : [];
}

/** The item of a transaction after which none of the user's codes counts. */
export function forgottenCodes(table: RecoveryCodes<'remove'>, userId: string) {
  return remove(table, { userId });
}

/** Codes go with the authenticator app that they replace. */
export async function forgetCodes(table: RecoveryCodes<'remove'>, userId: string): Promise<void> {
  if (!(await commit([forgottenCodes(table, userId)]))) throw new Failure(Unavailable);
}

/** Without a key, which could not be replaced: a code is valid for good, and nobody can guess 120 random bits. */
function hashOf(userId: string, code: string): string {
  return createHash('sha256').update(`${userId}#${code}`).digest('base64url');
}
