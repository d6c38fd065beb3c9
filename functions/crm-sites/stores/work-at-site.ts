import type { Items } from '../../../lib/runtime/commit.ts';
import type { Post } from '../../access/data-subject.ts';
import { audited } from '../../audit/exports.ts';
import type { AuditOccasion } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { putEntry } from '../../crm-users/exports.ts';
import { type DirectoryEntry, withSite } from '../../crm-users/rules.ts';
import type { StaffDirectory } from '../../crm-users/tables.ts';
import { siteStaffAdded, siteStaffRenamed } from '../audit-actions.ts';
import { subjectOf } from '../rules/audit-subject.ts';
import type { Sites } from '../tables.ts';
import { type MadePostTables, putPost } from './site-staff.ts';
import { checkSiteOpen } from './sites.ts';

export type WorkTables = MadePostTables & {
  readonly Sites: Sites<'check'>;
  readonly StaffDirectory: StaffDirectory<'put' | 'remove'>;
  readonly AuditEvents: AuditEvents<'put'>;
};

/** What was read: the post, null for none, and the directory's entry. */
type Read = { readonly post: Post | null; readonly entry: DirectoryEntry };

/**
 * The items of a transaction by which somebody works at a site under that name: the post, the directory's entry and the audit
 * event, on the condition that all rows are as they were read. Nobody can be added to a closed site.
 *
 * @param entry the directory's entry as it is to be, but for site and name
 */
export function workAtSite(
  tables: WorkTables,
  { post, name, entry }: { readonly post: Post; readonly name: string; readonly entry: DirectoryEntry },
  read: Read,
  occasion: AuditOccasion,
): Items {
  const { userId, siteId, since } = post;
  const changed = withSite(entry, siteId, name);
  // Written also where it stays the same: who is removed between the reads of entry and post would be left out of it.
  const after = changed === read.entry ? { ...changed, revision: changed.revision + 1 } : changed;
  return [
    ...putPost(tables, post, name, read.post),
    // A site that is being deleted is closed before that.
    ...(read.post ? [] : [checkSiteOpen(tables.Sites, siteId, null)]),
    ...putEntry(tables.StaffDirectory, after, read.entry),
    audited(tables.AuditEvents, occasion, {
      action: read.post ? siteStaffRenamed : siteStaffAdded,
      subject: subjectOf(siteId, userId),
      before: read.post && { since: read.post.since },
      after: { since },
    }),
  ];
}
