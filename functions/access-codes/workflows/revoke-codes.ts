import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { type AuditEvent, auditEvent, auditPut } from '../../audit/rules/audit-event.ts';
import { type Batch, type CodeGroup, type CodeStatus, revoked, statusOf } from '../rules/batch.ts';
import {
  countInGroup,
  endInGroup,
  isWritten,
  putBatch,
  putUsedCode,
  readBatch,
  readCodeRow,
  readGroup,
  readGroups,
  revokeGroup,
} from '../stores/code-rows.ts';

export type RevokePlace = {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: { readonly AccessCodeBatches: string; readonly AuditEvents: string };
};

export type Revocation = Pick<AuditEvent, 'application' | 'actor' | 'requestId'> & {
  readonly endEntitlements: boolean;
  /** The business rules' time, by which entitlements end. */
  readonly now: Date;
};

/**
 * Revokes a batch: itself, each of its groups and the audit event in one transaction, so that no redemption that was under way
 * comes after it.
 *
 * @returns the batch and its groups as they are then; null for an unknown one
 */
export async function revokeBatch(
  { dynamo, tables }: RevokePlace,
  batchId: string,
  revocation: Revocation,
): Promise<{ batch: Batch; groups: CodeGroup[] } | null> {
  const { endEntitlements, now } = revocation;
  const change = { endEntitlements, at: now.toISOString() };
  return retryOnContention(async () => {
    // Before the groups: a part of the codes that is written in between moves its revision.
    const before = await readBatch(dynamo, tables.AccessCodeBatches, batchId);
    if (!before) return null;
    const groups = await readGroups(dynamo, tables.AccessCodeBatches, batchId);
    const isDone = before.revokedAt !== null && (!endEntitlements || before.entitlementsEndedAt !== null);
    if (isDone) return { batch: before, groups };
    const after = revoked(before, change);
    const items = [
      putBatch(tables.AccessCodeBatches, after),
      ...groups.map((group) => revokeGroup(tables.AccessCodeBatches, group, after)),
      auditPut(
        tables.AuditEvents,
        eventOf(revocation, {
          action: 'access-code-batch.revoked',
          subject: `access-code-batch/${batchId}`,
          before: endsOf(before),
          after: endsOf(after),
        }),
      ),
    ];
    if (!(await isWritten(dynamo, items, randomUUID()))) return contended;
    // What was redeemed between the look and the commit is counted now.
    return { batch: after, groups: await readGroups(dynamo, tables.AccessCodeBatches, batchId) };
  });
}

function endsOf({ revokedAt, entitlementsEndedAt }: Batch) {
  return { revokedAt, entitlementsEndedAt };
}

type RevokedCode = { readonly accessCodeId: string; readonly batchId: string; readonly status: CodeStatus };

/**
 * Revokes a code that nobody has redeemed, or ends what a redeemed one unlocked.
 *
 * @returns null for an unknown one, an insurer's among them; `redeemed` where it is and that is not to end
 */
export async function revokeCode(
  { dynamo, tables }: RevokePlace & { readonly tables: { readonly AccessCodes: string } },
  accessCodeId: string,
  revocation: Revocation,
): Promise<RevokedCode | 'redeemed' | null> {
  const { endEntitlements, now } = revocation;
  const at = now.toISOString();
  return retryOnContention(async () => {
    const row = await readCodeRow(dynamo, tables.AccessCodes, accessCodeId);
    if (!row?.batchId || !row.part) return null;
    const { batchId, part } = row;
    const batch = await readBatch(dynamo, tables.AccessCodeBatches, batchId);
    const group = await readGroup(dynamo, tables.AccessCodeBatches, { batchId, part });
    if (!batch || !group) throw new Error('a code has no batch');
    const status = statusOf(row, batch, now);
    if (status === 'revoked') return { accessCodeId, batchId, status };
    if (status === 'redeemed' && !endEntitlements) return 'redeemed';
    const isOver = group.entitlementsEndedAt !== undefined || group.ended[accessCodeId] !== undefined;
    if (status === 'redeemed' && isOver) return { accessCodeId, batchId, status };
    const event = (action: string, before: string, after: object) =>
      auditPut(
        tables.AuditEvents,
        eventOf(revocation, {
          action,
          subject: `access-code/${accessCodeId}`,
          before: { status: before },
          after: { batchId, ...after },
        }),
      );
    const items =
      status === 'redeemed'
        ? [
            endInGroup(tables.AccessCodeBatches, group, accessCodeId, at),
            event('access-code.entitlement-ended', status, { status, entitlementEndedAt: at }),
          ]
        : [
            putUsedCode(tables.AccessCodes, { ...row, revokedAt: at }),
            countInGroup(tables.AccessCodeBatches, group, 'revoked'),
            event('access-code.revoked', status, { status: 'revoked' }),
          ];
    if (!(await isWritten(dynamo, items, randomUUID()))) return contended;
    return { accessCodeId, batchId, status: status === 'redeemed' ? status : 'revoked' };
  });
}

function eventOf(
  { application, actor, requestId }: Revocation,
  said: Pick<AuditEvent, 'action' | 'subject' | 'before' | 'after'>,
): AuditEvent {
  return auditEvent({ application, actor, requestId, realNow: new Date(), random: randomUUID(), ...said });
}
