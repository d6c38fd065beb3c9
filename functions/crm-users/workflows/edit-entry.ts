import { randomUUID } from 'node:crypto';
import { PreconditionFailed, PreconditionRequired } from '../../../lib/contract/common-errors.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { Staff } from '../../access/data-subject.ts';
import { auditPut } from '../../audit/exports.ts';
import { type AuditOccasion, auditEvent, changedFields, isFromBefore, preconditionOf } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { crmUserChanged } from '../audit-actions.ts';
import { changedEntry, type DirectoryEntry, type EntryChanges } from '../rules/directory.ts';
import { putEntry, readEntry } from '../stores/directory-rows.ts';
import { putStaffName } from '../stores/staff-names.ts';
import type { StaffDirectory } from '../tables.ts';

type EditedEntryTables = {
  readonly Staff: Staff<'put'>;
  readonly StaffDirectory: StaffDirectory<'get' | 'put' | 'remove'>;
  readonly AuditEvents: AuditEvents<'put'>;
};

type EntryEdit = {
  readonly userId: string;
  readonly ifMatch: string | undefined;
  readonly changes: EntryChanges;
  /** Whether somebody who is not in the directory yet comes into it. */
  readonly isOwn: boolean;
};

/** An entry that is not stored yet has an ETag, too. */
export const etagRevision = ({ revision }: DirectoryEntry) => revision + 1;

/**
 * Changes what the directory says of somebody; another name is also the one that patients see. The audit event names the fields
 * and none of what they say. A change that has been made already, and comes again because its answer was lost, is answered with what it
 * made.
 *
 * @returns null where the directory has nobody of this id
 * @throws a Failure of the precondition; `UNAVAILABLE` where contention outlasts the attempts
 */
export async function editEntry(
  tables: EditedEntryTables,
  { userId, ifMatch, changes, isOwn }: EntryEdit,
  occasion: AuditOccasion,
  options: RetryOptions = {},
): Promise<DirectoryEntry | null> {
  return retryOnContention(async () => {
    const before = await readEntry(tables.StaffDirectory, userId);
    if (before.revision === 0 && !isOwn) return null;
    const after = changedEntry(before, changes);
    if (after === before && isFromBefore(etagRevision(before), ifMatch)) return before;
    const precondition = preconditionOf(etagRevision(before), { ifMatch, ifNoneMatch: undefined });
    if (precondition === 'missing') throw new Failure(PreconditionRequired);
    if (precondition === 'failed') throw new Failure(PreconditionFailed);
    if (after === before) return before;
    const fields = Object.keys(changedFields({ ...before }, after).after).filter((field) => field !== 'revision');
    const isDone = await commit([
      ...putEntry(tables.StaffDirectory, after, before),
      // Of the entry itself others may write another name.
      ...(changes.name ? [putStaffName(tables.Staff, userId, changes.name)] : []),
      auditPut(
        tables.AuditEvents,
        auditEvent({
          ...occasion,
          action: crmUserChanged,
          subject: `crm-user/${userId}`,
          before: { revision: before.revision },
          after: { revision: after.revision, fields },
          random: randomUUID(),
        }),
      ),
    ]);
    return isDone ? after : contended;
  }, options);
}
