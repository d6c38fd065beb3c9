import type { AuditAction } from '../../../lib/contract/audit-actions.ts';
import { PreconditionFailed, PreconditionRequired } from '../../../lib/contract/common-errors.ts';
import type { DeclaredError } from '../../../lib/contract/errors.ts';
import { commit, type Items } from '../../../lib/runtime/commit.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { audited } from '../../audit/exports.ts';
import type { AuditOccasion } from '../../audit/rules.ts';
import { changedFields, preconditionOf } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { subjectOf } from '../rules/audit-subject.ts';
import { auditedStudy, type Study } from '../rules/study.ts';
import { putDescribed, putStudy, readStudy } from '../stores/studies.ts';
import type { Studies } from '../tables.ts';

type ChangedTables = {
  readonly Studies: Studies<'get' | 'put'>;
  readonly AuditEvents: AuditEvents<'put'>;
};
/** What it becomes, without what counts changes; or why it does not. */
type Next = Omit<Study, 'revision' | 'changeId'> | DeclaredError;

type Change = {
  readonly studyId: string;
  readonly ifMatch: string | undefined;
  readonly action: AuditAction;
  readonly next: (before: Study) => Next;
};

/**
 * Changes a study that staff have read, on the condition that it is still that one, with its audit event.
 *
 * @returns null where there is no such study
 * @throws a Failure of the precondition, or of `next`; `UNAVAILABLE` where contention outlasts the attempts
 */
export async function changeStudy(
  tables: ChangedTables & { readonly Studies: Studies<'update'> },
  change: Change,
  occasion: AuditOccasion,
): Promise<Study | null> {
  return replace(tables, change, occasion, (after, before) => putStudy(tables.Studies, after, before));
}

/** The same for a change that leaves state and code as they are. */
export async function describeStudy(
  tables: ChangedTables,
  change: Change,
  occasion: AuditOccasion,
): Promise<Study | null> {
  return replace(tables, change, occasion, (after, before) => [putDescribed(tables.Studies, after, before)]);
}

async function replace(
  tables: ChangedTables,
  { studyId, ifMatch, action, next }: Change,
  occasion: AuditOccasion,
  itemsOf: (after: Study, before: Study) => Items,
): Promise<Study | null> {
  return retryOnContention(async (attempt) => {
    const before = await readStudy(tables.Studies, studyId);
    if (!before) return null;
    // A lost answer is not a lost write: this request has made it what it is.
    if (attempt > 0 && before.changeId === occasion.requestId) return before;
    const precondition = preconditionOf(before.revision, { ifMatch, ifNoneMatch: undefined });
    if (precondition !== 'holds')
      throw new Failure(precondition === 'missing' ? PreconditionRequired : PreconditionFailed);
    const wanted = next(before);
    if ('status' in wanted) throw new Failure(wanted);
    const after = { ...wanted, revision: before.revision + 1, changeId: occasion.requestId };
    const change = changedFields(auditedStudy(before), auditedStudy(after));
    const isDone = await commit([
      ...itemsOf(after, before),
      audited(tables.AuditEvents, occasion, { action, subject: subjectOf(studyId), ...change }),
    ]);
    return isDone ? after : contended;
  });
}
