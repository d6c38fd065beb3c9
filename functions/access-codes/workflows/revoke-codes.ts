import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { type AuditEvent, auditEvent, auditPut } from '../../audit/rules/audit-event.ts';
import { type Batch, type CodeGroup, type CodeStatus, isRevokedAs, revoked, statusOf } from '../rules/batch.ts';
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

/** Times that the groups are tried anew: redemptions that were under way meet them. */
const retries = 12;

/**
 * Revokes a batch: first itself, with the audit event, from when on no redemption begins; then all its groups at once, after which none that was
 * under way ends. Broken off in between, it is gone on with where it is asked for again.
 *
 * @returns the batch and its groups as they are then; null for an unknown one
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function revokeBatch(
  place: RevokePlace,
  batchId: string,
  revocation: Revocation,
  options: RetryOptions = {},
): Promise<{ batch: Batch; groups: CodeGroup[] } | null> {
  const batch = await revokeItself(place, batchId, revocation);
  if (!batch) return null;
  const { dynamo, tables } = place;
  const table = tables.AccessCodeBatches;
  return retryOnContention(
    async () => {
      const groups = await readGroups(dynamo, table, batchId);
      const left = groups.filter((group) => !isRevokedAs(batch, group));
      if (left.length === 0) return { batch, groups };
      const items = left.map((group) => revokeGroup(table, group, batch));
      if (!(await isWritten(dynamo, items, randomUUID()))) return contended;
      // What was redeemed between the look and the commit is counted now.
      return { batch, groups: await readGroups(dynamo, table, batchId) };
    },
    { retries, ...options },
  );
}

/** A part of the codes that is written meanwhile moves the batch's revision: none is written afterwards, and all groups are there. */
async function revokeItself(
  { dynamo, tables }: RevokePlace,
  batchId: string,
  revocation: Revocation,
): Promise<Batch | null> {
  const { endEntitlements, now } = revocation;
  return retryOnContention(async () => {
    const before = await readBatch(dynamo, tables.AccessCodeBatches, batchId);
    if (!before) return null;
    const isDone = before.revokedAt !== null && (!endEntitlements || before.entitlementsEndedAt !== null);
    if (isDone) return before;
    const after = revoked(before, { endEntitlements, at: now.toISOString() });
    const event = eventOf(revocation, {
      action: 'access-code-batch.revoked',
      subject: `access-code-batch/${batchId}`,
      before: endsOf(before),
      after: endsOf(after),
    });
    const items = [putBatch(tables.AccessCodeBatches, after), auditPut(tables.AuditEvents, event)];
    return (await isWritten(dynamo, items, randomUUID())) ? after : contended;
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
