import { PreconditionFailed, PreconditionRequired } from '../../../lib/contract/common-errors.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { audited } from '../../audit/exports.ts';
import type { AuditOccasion } from '../../audit/rules.ts';
import { changedFields, isFromBefore, preconditionOf } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { siteChanged, siteDeleted } from '../audit-actions.ts';
import { SiteInUse } from '../errors.ts';
import { subjectOf } from '../rules/audit-subject.ts';
import { auditedSite, changedSite, type Site, type SiteChanges } from '../rules/site.ts';
import { readPatientsOf } from '../stores/site-patients.ts';
import { hasStaff } from '../stores/site-staff.ts';
import { deleteSiteItems, putSite, readSite } from '../stores/sites.ts';
import type { SitePatients, SiteStaff, Sites } from '../tables.ts';

/** What administrators do to a site that they have read: on the condition that it is still that one, and with its audit event. */

type EditedSiteTables = {
  readonly Sites: Sites<'get' | 'put' | 'remove'>;
  readonly AuditEvents: AuditEvents<'put'>;
};
type Named = { readonly siteId: string; readonly ifMatch: string | undefined };

/** @throws a Failure of the precondition */
function assertSeen(revision: number, ifMatch: string | undefined): void {
  const precondition = preconditionOf(revision, { ifMatch, ifNoneMatch: undefined });
  if (precondition !== 'holds')
    throw new Failure(precondition === 'missing' ? PreconditionRequired : PreconditionFailed);
}

/**
 * A change that has been made already, and comes again because its answer was lost, is answered with what it made.
 *
 * @returns null where there is no such site
 * @throws a Failure of the precondition; `UNAVAILABLE` where contention outlasts the attempts
 */
export async function editSite(
  tables: EditedSiteTables,
  { siteId, ifMatch, changes }: Named & { readonly changes: SiteChanges },
  occasion: AuditOccasion,
  options: RetryOptions = {},
): Promise<Site | null> {
  return retryOnContention(async () => {
    const before = await readSite(tables.Sites, siteId);
    if (!before) return null;
    const after = changedSite(before, changes);
    if (after === before && isFromBefore(before.revision, ifMatch)) return before;
    assertSeen(before.revision, ifMatch);
    if (after === before) return before;
    const change = changedFields(auditedSite(before), auditedSite(after));
    const isDone = await commit([
      ...putSite(tables.Sites, after, before),
      audited(tables.AuditEvents, occasion, { action: siteChanged, subject: subjectOf(siteId), ...change }),
    ]);
    return isDone ? after : contended;
  }, options);
}

/**
 * Deletes a closed site without patients and staff. Nobody can be added to a closed site, and opening it changes its revision. So if
 * nobody is found here, nobody is there when the deletion commits.
 *
 * @returns whether there was such a site
 * @throws a Failure of the precondition; `SITE_IN_USE`; `UNAVAILABLE` where contention outlasts the attempts
 */
export async function deleteSite(
  tables: EditedSiteTables & {
    readonly SitePatients: SitePatients<'query'>;
    readonly SiteStaff: SiteStaff<'query'>;
  },
  { siteId, ifMatch }: Named,
  occasion: AuditOccasion,
  options: RetryOptions = {},
): Promise<boolean> {
  return retryOnContention(async (attempt) => {
    const before = await readSite(tables.Sites, siteId);
    // Gone after a try of ours: by it, or by another request that asked for the same.
    if (!before) return attempt > 0;
    assertSeen(before.revision, ifMatch);
    if (before.status !== 'closed') throw new Failure(SiteInUse);
    const [patients, isStaffed] = await Promise.all([
      readPatientsOf(tables.SitePatients, [siteId], { limit: 1, after: null }),
      hasStaff(tables.SiteStaff, siteId),
    ]);
    if (patients.relations.length > 0 || isStaffed) throw new Failure(SiteInUse);
    const isDone = await commit([
      ...deleteSiteItems(tables.Sites, before),
      audited(tables.AuditEvents, occasion, {
        action: siteDeleted,
        subject: subjectOf(siteId),
        before: auditedSite(before),
        after: null,
      }),
    ]);
    return isDone || contended;
  }, options);
}
