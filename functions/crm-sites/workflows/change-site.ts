import { randomInt, randomUUID } from 'node:crypto';
import { commit } from '../../../lib/runtime/commit.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { orderedId } from '../../agent-board/rules.ts';
import { audited } from '../../audit/exports.ts';
import type { AuditOccasion } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { recall, rememberedIn } from '../../idempotency/exports.ts';
import type { Once } from '../../idempotency/rules.ts';
import type { IdempotencyKeys } from '../../idempotency/tables.ts';
import { siteCodeRenewed, siteCreated } from '../audit-actions.ts';
import { subjectOf } from '../rules/audit-subject.ts';
import { auditedSite, type Described, type Site } from '../rules/site.ts';
import { newCode } from '../rules/site-code.ts';
import { addSite, putSite, readSite } from '../stores/sites.ts';
import type { Sites } from '../tables.ts';

/** What administrators do to sites: each change with its audit event, both or neither. */

type SiteTables = {
  readonly Sites: Sites<'put'>;
  readonly AuditEvents: AuditEvents<'put'>;
  readonly IdempotencyKeys: IdempotencyKeys<'get' | 'put'>;
};

/** What varies in a test: codes and the wait between two tries. */
export type ChangeOptions = RetryOptions & { readonly code?: () => string };

const randomCode = () => newCode((below) => randomInt(below));

/** @throws a Failure `UNAVAILABLE` where contention outlasts the attempts; `IDEMPOTENCY_KEY_REUSED` */
export async function createSite(
  tables: SiteTables,
  { now, siteId, ...described }: Described & { now: Date; siteId?: string },
  { once, ...occasion }: AuditOccasion & { once: Once | null },
  { code = randomCode, ...options }: ChangeOptions = {},
): Promise<Site> {
  const id = siteId ?? orderedId(now.getTime(), randomUUID());
  const fresh = (made: Pick<Site, 'siteId' | 'code' | 'createdAt'>): Site => {
    return { ...described, ...made, status: 'open', revision: 1 };
  };
  return retryOnContention(async () => {
    const made = await recall(tables.IdempotencyKeys, once);
    if (made) return fresh({ siteId: made.siteId ?? '', code: made.code ?? '', createdAt: made.createdAt ?? '' });
    const site = fresh({ siteId: id, code: code(), createdAt: now.toISOString() });
    const { createdAt } = site;
    const change = { action: siteCreated, subject: subjectOf(id), before: null, after: auditedSite(site) };
    const isDone = await commit([
      ...addSite(tables.Sites, site),
      ...rememberedIn(tables.IdempotencyKeys, once, { siteId: id, code: site.code, createdAt }),
      audited(tables.AuditEvents, occasion, change),
    ]);
    return isDone ? site : contended;
  }, options);
}

/**
 * Gives a site another code; the one until now is nobody's from then on.
 *
 * @returns null where there is no such site
 * @throws as `createSite`
 */
export async function renewCode(
  tables: SiteTables & { readonly Sites: Sites<'get' | 'remove'> },
  siteId: string,
  { once, ...occasion }: AuditOccasion & { once: Once | null },
  { code = randomCode, ...options }: ChangeOptions = {},
): Promise<{ siteId: string; code: string } | null> {
  return retryOnContention(async () => {
    const [made, before] = await Promise.all([recall(tables.IdempotencyKeys, once), readSite(tables.Sites, siteId)]);
    if (made) return { siteId, code: made.code ?? '' };
    if (!before) return null;
    const site = { ...before, code: code(), revision: before.revision + 1 };
    const isDone = await commit([
      ...putSite(tables.Sites, site, before),
      ...rememberedIn(tables.IdempotencyKeys, once, { code: site.code }),
      // The codes themselves are left out: anybody who reads the new code could join.
      audited(tables.AuditEvents, occasion, {
        action: siteCodeRenewed,
        subject: subjectOf(siteId),
        before: { revision: before.revision },
        after: { revision: site.revision },
      }),
    ]);
    return isDone ? { siteId, code: site.code } : contended;
  }, options);
}
