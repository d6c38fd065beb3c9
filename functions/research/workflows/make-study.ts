import { randomUUID } from 'node:crypto';
import { commit } from '../../../lib/runtime/commit.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { orderedId } from '../../agent-board/rules.ts';
import { readAgreement } from '../../agreements/exports.ts';
import type { Agreements } from '../../agreements/tables.ts';
import { audited } from '../../audit/exports.ts';
import type { AuditOccasion } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { recall, rememberedIn } from '../../idempotency/exports.ts';
import type { Once } from '../../idempotency/rules.ts';
import type { IdempotencyKeys } from '../../idempotency/tables.ts';
import { studyCreated } from '../audit-actions.ts';
import { subjectOf } from '../rules/audit-subject.ts';
import { auditedStudy, type Collected, collectedBy, type Study } from '../rules/study.ts';
import { putNewStudy } from '../stores/studies.ts';
import { putStudyKey } from '../stores/study-keys.ts';
import type { Studies, StudyKeys } from '../tables.ts';

type NewStudyTables = {
  readonly Studies: Studies<'put'>;
  readonly StudyKeys: StudyKeys<'put'>;
  readonly AuditEvents: AuditEvents<'put'>;
  readonly Agreements: Agreements<'query'>;
};

/** Whether participants can consent to it, and revoke that. Neither changes later: what is optional stays so. */
export async function isFit(table: Agreements<'query'>, agreementId: string): Promise<boolean> {
  const found = await readAgreement(table, 'sleepcare', agreementId);
  return found !== null && !found.agreement.isRequired;
}

/**
 * @returns null where the study's agreement does not fit
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts; `IDEMPOTENCY_KEY_REUSED`
 */
export async function createStudy(
  tables: NewStudyTables & { readonly IdempotencyKeys: IdempotencyKeys<'get' | 'put'> },
  wanted: Collected & { readonly title: string; readonly now: Date },
  { once, ...occasion }: AuditOccasion & { once: Once | null },
): Promise<Study | null> {
  const { title, now } = wanted;
  const fresh = (made: Pick<Study, 'studyId' | 'createdAt'>): Study => ({
    ...made,
    title,
    ...collectedBy(wanted),
    state: 'draft',
    codeId: null,
    revision: 1,
    changeId: occasion.requestId,
  });
  const study = fresh({ studyId: orderedId(now.getTime(), randomUUID()), createdAt: now.toISOString() });
  const { studyId, createdAt } = study;
  return retryOnContention(async () => {
    const made = await recall(tables.IdempotencyKeys, once);
    if (made) return fresh({ studyId: made.studyId ?? '', createdAt: made.createdAt ?? '' });
    if (!(await isFit(tables.Agreements, study.agreementId))) return null;
    const change = { action: studyCreated, subject: subjectOf(studyId), before: null, after: auditedStudy(study) };
    const isDone = await commit([
      ...putNewStudy(tables.Studies, study),
      putStudyKey(tables.StudyKeys, studyId),
      ...rememberedIn(tables.IdempotencyKeys, once, { studyId, createdAt }),
      audited(tables.AuditEvents, occasion, change),
    ]);
    return isDone ? study : contended;
  });
}
