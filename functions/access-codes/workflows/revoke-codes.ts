import { randomUUID } from 'node:crypto';
import type { AuditAction } from '../../../lib/contract/audit-actions.ts';
import { commit, transact, unlessConflict } from '../../../lib/runtime/commit.ts';
import { isContention, isRefusedAt } from '../../../lib/runtime/failure.ts';
import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { TransactItem } from '../../../lib/runtime/rows.ts';
import { auditPut } from '../../audit/exports.ts';
import { type AuditEvent, auditEvent } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import {
  accessCodeBatchEntitlementsLeft,
  accessCodeBatchRevoked,
  accessCodeEntitlementEnded,
  accessCodeRevoked,
} from '../audit-actions.ts';
import { type Batch, type CodeGroup, type CodeStatus, groupSize, revoked, statusOf } from '../rules/batch.ts';
import {
  countInGroup,
  markGroupEnded,
  putBatch,
  readBatch,
  readCodeRow,
  readGroup,
  readGroups,
  replaceUnusedCode,
  revokeGroup,
} from '../stores/code-rows.ts';
import { isHolder, readHolder, readHolders } from '../stores/entitlement-holders.ts';
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
  if (at === null) return { batch, groups };
  const left = await mapWithConcurrency(groups, groupsAtOnce, (group) => endWhatItUnlocked(deps, group, at, patient));
  const entitlementsLeft = left.reduce((total, one) => total + one, 0);
  if (entitlementsLeft > 0) {
    const said = { action: accessCodeBatchEntitlementsLeft, subject: `access-code-batch/${batchId}`, before: null };
    await commit([auditPut(deps.tables.AuditEvents, eventOf(revocation, { ...said, after: { entitlementsLeft } }))]);
  }
  return { batch, groups: await readGroups(deps.tables.AccessCodeBatches, batchId) };
}

/** @returns all groups: what was redeemed before the commit is counted, and nothing is redeemed after it */
async function revokeGroups(
  { tables }: BatchDependencies,
  { batchId, revokedAt }: { batchId: string; revokedAt: string },
  options: RetryOptions,
): Promise<CodeGroup[]> {
  const table = tables.AccessCodeBatches;
  const groups = await readGroups(table, batchId);
  const left = groups.filter((group) => group.revokedAt === undefined);
  if (left.length === 0) return groups;
  const items = left.map((group) => revokeGroup(table, group, revokedAt));
  await writeWhatTakesIt(items, options);
  return readGroups(table, batchId);
}

/**
 * All of a revoked group, also where it has its mark, which others may write; then the mark.
 *
 * @returns how many rows took no end: then the group gets no mark
 */
async function endWhatItUnlocked(
  { tables }: BatchDependencies,
  group: CodeGroup,
  at: string,
  options: RetryOptions,
): Promise<number> {
  let left = 0;
  let ends: TransactItem[] = [];
  for await (const holder of readHolders(tables.EntitlementStarts, group)) {
    if (!isHolder(holder)) left += 1;
    else ends.push(endEntitlement(tables.Entitlements, holder, at));
    if (ends.length < groupSize) continue;
    left += await writeWhatTakesIt(ends, options);
    ends = [];
  }
  left += await writeWhatTakesIt(ends, options);
  return left || writeWhatTakesIt([markGroupEnded(tables.AccessCodeBatches, group, at)], options);
}

/**
 * In one transaction, without the items that are refused: an entitlement that is over, one of a user who was erased, and a row that takes
 * no write. No honest function leaves one of that kind, and it keeps nothing else from being written.
 *
 * @returns how many rows took no write
 */
async function writeWhatTakesIt(items: readonly TransactItem[], options: RetryOptions): Promise<number> {
  let [rest, refusals] = [items, 0];
  await retryOnContention(async () => {
    if (rest.length === 0) return true;
    try {
      await transact(rest);
      return true;
    } catch (error) {
      const taken = rest.filter((_, at) => !isRefusedAt(error, at) && !isRefusedAt(error, at, 'ValidationError'));
      if (taken.length === rest.length && !isContention(error)) throw error;
      refusals += rest.filter((_, at) => isRefusedAt(error, at, 'ValidationError')).length;
      rest = taken;
      return contended;
    }
  }, options);
  return refusals;
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
    const after = revoked(before, { endEntitlements, now });
    const isDone = after.revokedAt === before.revokedAt && after.entitlementsEndedAt === before.entitlementsEndedAt;
    if (isDone) return before;
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
    if (status === 'redeemed') {
      const holder = row.entitlementId && (await readHolder(tables.EntitlementStarts, group, row.entitlementId));
      const ended = event(accessCodeEntitlementEnded, status, { status, entitlementEndedAt: at });
      // Refused where it is over, or its user was erased.
      const ending = holder ? transact([endEntitlement(tables.Entitlements, holder, at), ended]) : Promise.resolve();
      return unlessConflict(
        ending.then(() => ({ accessCodeId, batchId, status })),
        isContention,
        (error) => (isRefusedAt(error, 0) ? { accessCodeId, batchId, status } : contended),
      );
    }
    const items = [
      replaceUnusedCode(tables.AccessCodes, { ...row, revokedAt: at }),
      countInGroup(tables.AccessCodeBatches, group, 'revoked'),
      event(accessCodeRevoked, status, { status: 'revoked' }),
    ];
    if (!(await commit(items))) return contended;
    return { accessCodeId, batchId, status: 'revoked' };
  });
}

function eventOf(
  { application, actor, requestId }: Revocation,
  said: Pick<AuditEvent, 'action' | 'subject' | 'before' | 'after'>,
): AuditEvent {
  return auditEvent({ application, actor, requestId, realNow: new Date(), random: randomUUID(), ...said });
}
