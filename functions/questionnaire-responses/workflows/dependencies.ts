import { ValidationFailed } from '../../../lib/contract/common-errors.ts';
import type { Issue } from '../../../lib/contract/issues.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { QuestionnaireNotFound } from '../../questionnaires/errors.ts';
import { type Published, readVersion } from '../../questionnaires/exports.ts';
import type { LocaleAndZone } from '../../questionnaires/rules.ts';
import {
  type Answer,
  answerProblems,
  defaultZone,
  type Entitlement,
  localDate,
  missingAnswers,
  unmetConstraints,
} from '../../questionnaires/rules.ts';
import type { Questionnaires } from '../../questionnaires/tables.ts';
import { QuestionnaireNotDue } from '../errors.ts';
import type { Frame, Window } from '../rules/response.ts';

/** The tables and values that the workflows of responses need. */

export type ResponseDependencies<Tables> = {
  readonly tables: Tables;
  readonly userId: string;
  readonly now: Date;
};

/** Those of whoever needs a response's questionnaire. */
export type DefinitionTables = { readonly Questionnaires: Questionnaires<'get'> };

/** @throws a Failure `QUESTIONNAIRE_NOT_FOUND` */
export async function definitionOf(
  { tables }: Pick<ResponseDependencies<DefinitionTables>, 'tables'>,
  { questionnaireId, version }: { readonly questionnaireId: string; readonly version: string },
): Promise<Published> {
  const found = await readVersion(tables.Questionnaires, questionnaireId, version);
  if (!found) throw new Failure(QuestionnaireNotFound);
  return found;
}

/**
 * An answer that was recorded before the end of the entitlement is accepted, even if it arrives later.
 *
 * @param entitlement the response's entitlement in its present state; null if it no longer exists
 * @throws a Failure `QUESTIONNAIRE_NOT_DUE`
 */
export function assertUnlocked(
  { entitlementId }: Pick<Frame, 'entitlementId'>,
  entitlement: Pick<Entitlement, 'endsAt'> | null,
  recordedAt: string,
): void {
  if (entitlementId === null) return;
  const isUnlocked = entitlement !== null && Date.parse(recordedAt) < Date.parse(entitlement.endsAt);
  if (!isUnlocked) throw new Failure(QuestionnaireNotDue);
}

/**
 * @throws a Failure `QUESTIONNAIRE_NOT_DUE` if it was recorded after the last day of its window, by the patient's
 * calendar
 */
export function assertInWindow(
  { to }: Pick<Window, 'to'>,
  { timezone }: Pick<LocaleAndZone, 'timezone'>,
  recordedAt: string,
): void {
  if (localDate(new Date(recordedAt), timezone ?? defaultZone) > to) throw new Failure(QuestionnaireNotDue);
}

/** @throws a Failure `VALIDATION_FAILED` that names each answer that does not fit, without its value */
export function assertFits(definition: Published, answers: readonly Answer[]): void {
  const problems = answerProblems(definition, answers);
  if (problems.length === 0) return;
  throw new Failure(ValidationFailed, { issues: problems.map((problem) => ({ in: 'body' as const, ...problem })) });
}

/**
 * Checks the answers of a response that is about to be completed. After that they never change.
 *
 * @throws a Failure `VALIDATION_FAILED` that names each required item without an answer, or the items whose answers
 *   contradict each other
 */
export function assertComplete(definition: Published, answers: readonly Answer[]): void {
  const missing = missingAnswers(definition, answers);
  const issues: Issue[] = missing.map(({ linkId }) => {
    return { in: 'body', path: 'answers', code: 'required', message: `${linkId} has to be answered` };
  });
  for (const { linkIds } of unmetConstraints(definition, answers)) {
    const message = `the answers to ${linkIds.join(', ')} contradict each other`;
    issues.push({ in: 'body', path: 'answers', code: 'inconsistent', message });
  }
  if (issues.length === 0) return;
  throw new Failure(ValidationFailed, { issues });
}
