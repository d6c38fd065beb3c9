import { commit } from '../../../lib/runtime/commit.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { Post, Staff } from '../../access/data-subject.ts';
import { audited } from '../../audit/exports.ts';
import type { AuditOccasion } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { putEntry, readEntry, readStaffName } from '../../crm-users/exports.ts';
import { withoutSite, withSite } from '../../crm-users/rules.ts';
import type { StaffDirectory } from '../../crm-users/tables.ts';
import { siteStaffRemoved } from '../audit-actions.ts';
import { subjectOf } from '../rules/audit-subject.ts';
import { type EndedPostTables, endPost, readPost } from '../stores/site-staff.ts';
import { readSite } from '../stores/sites.ts';
import { type WorkTables, workAtSite } from '../stores/work-at-site.ts';
import type { Sites } from '../tables.ts';

/** Who works where: each change with the directory's entry and its audit event, all or nothing. */

/** What was before is read. */
type ReadTables = {
  readonly Staff: Staff<'get'>;
  readonly StaffDirectory: StaffDirectory<'get'>;
};
type Named = Pick<Post, 'userId' | 'siteId'>;

/**
 * Puts somebody to work at a site, or gives them another name. The first `since` stays.
 *
 * @returns null where there is no such site; `closed`: nobody new comes to it
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function putStaff(
  tables: WorkTables & ReadTables & { readonly Sites: Sites<'get'> },
  { userId, siteId, name, now }: Named & { name: string; now: Date },
  occasion: AuditOccasion,
  options: RetryOptions = {},
): Promise<Post | 'closed' | null> {
  return retryOnContention(async () => {
    const [site, before, known, entry] = await Promise.all([
      readSite(tables.Sites, siteId),
      readPost(tables.Staff, { userId, siteId }),
      readStaffName(tables.Staff, userId),
      readEntry(tables.StaffDirectory, userId),
    ]);
    if (!site) return null;
    if (!before && site.status !== 'open') return 'closed';
    if (before && known === name && withSite(entry, siteId, name) === entry) return before;
    const post = before ?? { userId, siteId, since: now.toISOString() };
    const items = workAtSite(tables, { post, name, entry }, { post: before, entry }, occasion);
    const isDone = await commit(items);
    return isDone ? post : contended;
  }, options);
}

/**
 * Ends somebody's work at a site; where there is none it changes nothing.
 *
 * @returns whether the person worked there
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function removeStaff(
  tables: EndedPostTables &
    ReadTables & {
      readonly StaffDirectory: StaffDirectory<'put' | 'remove'>;
      readonly AuditEvents: AuditEvents<'put'>;
    },
  named: Named,
  occasion: AuditOccasion,
  options: RetryOptions = {},
): Promise<boolean> {
  return retryOnContention(async () => {
    const [before, entry] = await Promise.all([
      readPost(tables.Staff, named),
      readEntry(tables.StaffDirectory, named.userId),
    ]);
    if (!before) return false;
    const isDone = await commit([
      ...endPost(tables, before),
      ...(entry.revision === 0 ? [] : putEntry(tables.StaffDirectory, withoutSite(entry, named.siteId), entry)),
      audited(tables.AuditEvents, occasion, {
        action: siteStaffRemoved,
        subject: subjectOf(named.siteId, named.userId),
        before: { since: before.since },
        after: null,
      }),
    ]);
    return isDone || contended;
  }, options);
}
