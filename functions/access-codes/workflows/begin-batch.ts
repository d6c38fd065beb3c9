import { randomUUID } from 'node:crypto';
import { commit } from '../../../lib/runtime/commit.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { orderedId } from '../../agent-board/rules.ts';
import { auditPut } from '../../audit/exports.ts';
import { auditEvent } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { readSite } from '../../crm-sites/exports.ts';
import type { Sites } from '../../crm-sites/tables.ts';
import { recall, rememberedIn } from '../../idempotency/exports.ts';
import type { Once } from '../../idempotency/rules.ts';
import type { IdempotencyKeys } from '../../idempotency/tables.ts';
import { accessCodeBatchIssued } from '../audit-actions.ts';
import type { Batch } from '../rules/batch.ts';
import { putBatch, readBatch } from '../stores/code-rows.ts';
import type { AccessCodeBatches } from '../tables.ts';

type BatchRequest = Pick<Batch, 'count' | 'kind' | 'programmeId' | 'grantsDays' | 'redeemBy'> & {
  readonly siteId?: string | undefined;
  readonly studyId?: string | undefined;
};

type Beginning = {
  readonly asked: BatchRequest;
  readonly now: Date;
  readonly once: Once | null;
  readonly actor: string;
  readonly application: string;
  readonly requestId: string;
};

type Dependencies = {
  readonly tables: {
    readonly AccessCodeBatches: AccessCodeBatches<'get' | 'put'>;
    readonly AuditEvents: AuditEvents<'put'>;
    readonly IdempotencyKeys: IdempotencyKeys<'get' | 'put'>;
    readonly Sites: Sites<'get'>;
  };
};

/**
 * The batch of a request, before any of its codes: with its audit event and what its key stands for in one transaction. A
 * request that comes again with the key gets the same one.
 *
 * @returns `late` where its codes could not be redeemed any more, `no-site` where the site is closed or there is none of that id
 */
export async function beginBatch({ tables }: Dependencies, beginning: Beginning): Promise<Batch | 'late' | 'no-site'> {
  const { asked, now, once, ...occasion } = beginning;
  return retryOnContention(async () => {
    const made = await recall(tables.IdempotencyKeys, once);
    if (made) return (await readBatch(tables.AccessCodeBatches, made.batchId ?? '')) ?? 'late';
    if (asked.redeemBy <= now.toISOString()) return 'late';
    const batchId = orderedId(now.getTime(), randomUUID());
    const { siteId = null, studyId = null } = asked;
    const site = siteId === null ? null : await readSite(tables.Sites, siteId);
    if (siteId !== null && site?.status !== 'open') return 'no-site';
    const created = { ...asked, siteId, studyId, batchId, createdAt: now.toISOString() };
    const batch: Batch = { ...created, revokedAt: null, entitlementsEndedAt: null, revision: 1 };
    const audit = {
      action: accessCodeBatchIssued,
      subject: `access-code-batch/${batchId}`,
      before: null,
      after: created,
    };
    const items = [
      putBatch(tables.AccessCodeBatches, batch),
      ...rememberedIn(tables.IdempotencyKeys, once, { batchId }),
      auditPut(tables.AuditEvents, auditEvent({ ...occasion, ...audit, realNow: new Date(), random: randomUUID() })),
    ];
    return (await commit(items, batchId)) ? batch : contended;
  });
}
