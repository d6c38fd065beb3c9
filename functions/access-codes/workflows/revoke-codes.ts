import { randomUUID } from 'node:crypto';
import type { AuditAction } from '../../../lib/contract/audit-actions.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { auditPut } from '../../audit/exports.ts';
import { type AuditEvent, auditEvent } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { accessCodeBatchRevoked, accessCodeEntitlementEnded, accessCodeRevoked } from '../audit-actions.ts';
import { type Batch, type CodeGroup, type CodeStatus, revoked, statusOf } from '../rules/batch.ts';
import {
  countInGroup,
  markCodeEnded,
  markGroupEnded,
  putBatch,
  readBatch,
  readCodeRow,
  readGroup,
  readGroups,
  replaceUnusedCode,
  revokeGroup,
} from '../stores/code-rows.ts';
import { readHolder, readHolders } from '../stores/entitlement-holders.ts';
import { endEntitlement } from '../stores/entitlement-rows.ts';
import type { AccessCodeBatches, AccessCodes, EntitlementStarts, Entitlements } from '../tables.ts';

type BatchDependencies = {
  readonly tables: {
    readonly AccessCodeBatches: AccessCodeBatches<'get' | 'query' | 'put' | 'update'>;
    readonly Entitlements: Entitlements<'update'>;
    readonly EntitlementStarts: EntitlementStarts<'query'>;
    readonly AuditEvents: AuditEvents<'put'>;
  };
};

type CodeDependencies = {
  readonly tables: {
    readonly AccessCodes: AccessCodes<'get' | 'put'>;
    readonly AccessCodeBatches: AccessCodeBatches<'get' | 'update'>;
    readonly Entitlements: Entitlements<'update'>;
    readonly EntitlementStarts: EntitlementStarts<'get'>;
    readonly AuditEvents: AuditEvents<'put'>;
  };
};

export type Revocation = Pick<AuditEvent, 'application' | 'actor' | 'requestId'> & {
  readonly endEntitlements: boolean;
  /** The business rules' time, by which entitlements end. */
  readonly now: Date;
};

/** How many times a group is tried again, because running redemptions change it at the same time. */
const retries = 12;

/** So many groups are ended at once; a batch has up to 63. */
const groupsAtOnce = 8;

/**
 * Revokes a batch in three steps. First the batch itself, with the audit event: from then on no redemption begins. Then all its groups
 * at once: from then on no running redemption can succeed. Then, group by group, it ends what the codes unlocked. No user is missed,
 * because a user who redeemed a code is in the rows of its group before the group is revoked. After an interruption, a repeated request
 * continues.
 *
 * @returns the batch and its groups as they are then; null for an unknown one
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function revokeBatch(
  deps: BatchDependencies,
  batchId: string,
  revocation: Revocation,
  options: RetryOptions = {},
): Promise<{ batch: Batch; groups: CodeGroup[] } | null> {
  const batch = await revokeItself(deps, batchId, revocation);
  if (!batch?.revokedAt) return null;
  const patient = { retries, ...options };
  const groups = await revokeGroups(deps, { batchId, revokedAt: batch.revokedAt }, patient);
  const { entitlementsEndedAt: at } = batch;
  const open = groups.filter((group) => group.entitlementsEndedAt === undefined);
  if (at === null || open.length === 0) return { batch, groups };
  await mapWithConcurrency(open, groupsAtOnce, (group) => endWhatItUnlocked(deps, group, at, patient));
  return { batch, groups: await readGroups(deps.tables.AccessCodeBatches, batchId) };
}

/** @returns all groups: what was redeemed before the commit is counted, and nothing is redeemed after it */
async function revokeGroups(
  { tables }: BatchDependencies,
  { batchId, revokedAt }: { batchId: string; revokedAt: string },
  options: RetryOptions,
): Promise<CodeGroup[]> {
  const table = tables.AccessCodeBatches;
  return retryOnContention(async () => {
    const groups = await readGroups(table, batchId);
    const left = groups.filter((group) => group.revokedAt === undefined);
    if (left.length === 0) return groups;
    const items = left.map((group) => revokeGroup(table, group, revokedAt));
    return (await commit(items)) ? readGroups(table, batchId) : contended;
  }, options);
}

/** All of a revoked group and its mark, in one transaction of up to 17 items. Who is erased meanwhile is looked at no more. */
async function endWhatItUnlocked(
  { tables }: BatchDependencies,
  known: CodeGroup,
  at: string,
  options: RetryOptions,
): Promise<void> {
  const table = tables.AccessCodeBatches;
  await retryOnContention(async (attempt) => {
    const group = attempt === 0 ? known : await readGroup(table, known);
    if (!group || group.entitlementsEndedAt !== undefined) return true;
    const holders = await readHolders(tables.EntitlementStarts, group);
    // What was ended by itself keeps its earlier time.
    const open = holders.filter(({ accessCodeId }) => (group.ended[accessCodeId] ?? at) >= at);
    const items = [
      ...open.map((holder) => endEntitlement(tables.Entitlements, holder, at)),
      markGroupEnded(table, group, at),
    ];
    return (await commit(items)) || contended;
  }, options);
}

/** A part of the codes that is written meanwhile moves the batch's revision: none is written afterwards, and all groups are there. */
async function revokeItself(
  { tables }: BatchDependencies,
  batchId: string,
  revocation: Revocation,
): Promise<Batch | null> {
  const { endEntitlements, now } = revocation;
  return retryOnContention(async () => {
    const before = await readBatch(tables.AccessCodeBatches, batchId);
    if (!before) return null;
    const isDone = before.revokedAt !== null && (!endEntitlements || before.entitlementsEndedAt !== null);
    if (isDone) return before;
    const after = revoked(before, { endEntitlements, at: now.toISOString() });
    const event = eventOf(revocation, {
      action: accessCodeBatchRevoked,
      subject: `access-code-batch/${batchId}`,
      before: endsOf(before),
      after: endsOf(after),
    });
    const items = [putBatch(tables.AccessCodeBatches, after), auditPut(tables.AuditEvents, event)];
    return (await commit(items)) ? after : contended;
  });
}

function endsOf({ revokedAt, entitlementsEndedAt }: Batch) {
  return { revokedAt, entitlementsEndedAt };
}

type RevokedCode = { readonly accessCodeId: string; readonly batchId: string; readonly status: CodeStatus };

/**
 * Revokes a code that nobody has redeemed, or ends what a redeemed one unlocked, in one transaction.
 *
 * @returns null for an unknown one, an insurer's among them; `redeemed` where it is and that is not to end
 */
export async function revokeCode(
  { tables }: CodeDependencies,
  accessCodeId: string,
  revocation: Revocation,
): Promise<RevokedCode | 'redeemed' | null> {
  const { endEntitlements, now } = revocation;
  const at = now.toISOString();
  return retryOnContention(async () => {
    const read = () => readCodeRow(tables.AccessCodes, accessCodeId);
    const found = await read();
    if (!found?.batchId || !found.part) return null;
    const { batchId, part } = found;
    const batch = await readBatch(tables.AccessCodeBatches, batchId);
    const group = await readGroup(tables.AccessCodeBatches, { batchId, part });
    if (!batch || !group) throw new Error('a code has no batch');
    // It may have been redeemed since it was read, as long as its group was not revoked.
    const isFinal = group.revokedAt !== undefined;
    const row = isFinal ? ((await read()) ?? found) : found;
    const status = statusOf(row, batch, now);
    if (status === 'revoked' && (isFinal || row.revokedAt !== undefined)) return { accessCodeId, batchId, status };
    if (status === 'redeemed' && !endEntitlements) return 'redeemed';
    const isOver = group.entitlementsEndedAt !== undefined || group.ended[accessCodeId] !== undefined;
    if (status === 'redeemed' && isOver) return { accessCodeId, batchId, status };
    const event = (action: AuditAction, before: string, after: object) =>
      auditPut(
        tables.AuditEvents,
        eventOf(revocation, {
          action,
          subject: `access-code/${accessCodeId}`,
          before: { status: before },
          after: { batchId, ...after },
        }),
      );
    const holder =
      status === 'redeemed' && row.entitlementId
        ? await readHolder(tables.EntitlementStarts, group, row.entitlementId)
        : null;
    const items =
      status === 'redeemed'
        ? [
            markCodeEnded(tables.AccessCodeBatches, group, accessCodeId, at),
            ...(holder ? [endEntitlement(tables.Entitlements, holder, at)] : []),
            event(accessCodeEntitlementEnded, status, { status, entitlementEndedAt: at }),
          ]
        : [
            replaceUnusedCode(tables.AccessCodes, { ...row, revokedAt: at }),
            countInGroup(tables.AccessCodeBatches, group, 'revoked'),
            event(accessCodeRevoked, status, { status: 'revoked' }),
          ];
    if (!(await commit(items))) return contended;
    return { accessCodeId, batchId, status: status === 'redeemed' ? status : 'revoked' };
  });
}

function eventOf(
  { application, actor, requestId }: Revocation,
  said: Pick<AuditEvent, 'action' | 'subject' | 'before' | 'after'>,
): AuditEvent {
  return auditEvent({ application, actor, requestId, realNow: new Date(), random: randomUUID(), ...said });
}
