import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../../../lib/contract/common-errors.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { type AuditEvent, auditEvent, auditPut } from '../../audit/rules.ts';
import { recoveryCodesIssued } from '../audit-actions.ts';
import { codeCount, codeLength, newRecoveryCode, readRecoveryCode } from '../rules/recovery-code.ts';

/** Table `RecoveryCodes`: of each user one row with the hashes of the codes that are left. */

export type CodesPlace = {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: { readonly RecoveryCodes: string; readonly AuditEvents: string };
};

/** The codes from before are worth nothing from then on. @returns the only copy of the new ones */
export async function issueCodes(
  { dynamo, tables }: CodesPlace,
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
  const items = [{ Put: { TableName: tables.RecoveryCodes, Item } }, ...ofStaff(tables.AuditEvents, event)];
  if (!(await commit(dynamo, items))) throw new Failure(Unavailable);
  return codes;
}

/** Whether the code is one of the user's that are left; nothing changes. Strongly consistent. */
export async function isLeft(
  { dynamo, tables }: CodesPlace,
  userId: string,
  typed: string,
): Promise<{ hash: string; left: number } | null> {
  const code = readRecoveryCode(typed);
  if (code === null) return null;
  const query = new GetCommand({ TableName: tables.RecoveryCodes, Key: { userId }, ConsistentRead: true });
  const { Item } = await dynamo.send(query);
  const hashes = (Item?.hashes as Set<string> | undefined) ?? new Set();
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
  place: CodesPlace,
  userId: string,
  typed: string,
  eventOf: (left: number) => AuditEvent,
): Promise<boolean> {
  const { dynamo, tables } = place;
  return retryOnContention(async () => {
    const found = await isLeft(place, userId, typed);
    if (!found) return false;
    const Update = {
      TableName: tables.RecoveryCodes,
      Key: { userId },
      UpdateExpression: 'DELETE hashes :one',
      // The event tells how many are left.
      ConditionExpression: 'contains(hashes, :hash) AND size(hashes) = :count',
      ExpressionAttributeValues: { ':one': new Set([found.hash]), ':hash': found.hash, ':count': found.left + 1 },
    };
    return (await commit(dynamo, [{ Update }, ...ofStaff(tables.AuditEvents, eventOf(found.left))])) || contended;
  });
}

/** Audit events are kept for good, so a patient has none: the mail tells the patient. */
function ofStaff(table: string, event: AuditEvent) {
  return event.application === 'medinfo' ? [auditPut(table, event)] : [];
}

/** The item of a transaction after which none of the user's codes counts. */
export function forgottenCodes(TableName: string, userId: string) {
  return { Delete: { TableName, Key: { userId } } };
}

/** Codes go with the authenticator app that they replace. */
export async function forgetCodes(client: DynamoDBDocumentClient, TableName: string, userId: string): Promise<void> {
  if (!(await commit(client, [forgottenCodes(TableName, userId)]))) throw new Failure(Unavailable);
}

/** Without a key, which could not be replaced: a code is valid for good, and nobody can guess 120 random bits. */
function hashOf(userId: string, code: string): string {
  return createHash('sha256').update(`${userId}#${code}`).digest('base64url');
}
