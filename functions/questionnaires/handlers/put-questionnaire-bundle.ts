import { PreconditionFailed, PreconditionRequired, ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { changedFields, etagOf, preconditionOf } from '../../audit/rules.ts';
import { questionnaireBundleReplaced } from '../audit-actions.ts';
import { putQuestionnaireBundle } from '../routes.ts';
import { type BundleProblem, bundleProblems } from '../rules/bundle-problems.ts';
import { isWordingNeeded, wordingProblems } from '../rules/wording.ts';
import { readBundle, writeBundle } from '../stores/bundle-rows.ts';
import { currentVersions, type Published, readVersion } from '../stores/version-rows.ts';
import { wordingGuard } from '../stores/wording-guard.ts';
import type { Questionnaires } from '../tables.ts';

export const handler = serve(putQuestionnaireBundle)(async (input) => {
  const { params, headers, body, caller, application, environment, requestId, tables, fail } = input;
  const published = await currentVersions(tables.Questionnaires);
  const unknown = body.questionnaireIds.flatMap((id, index) =>
    published.has(id) ? [] : [{ path: `questionnaireIds[${index}]`, message: 'is no questionnaire that is published' }],
  );
  const refused = (problems: readonly BundleProblem[]) =>
    fail(ValidationFailed, {
      issues: problems.map((problem) => ({ in: 'body', code: 'inconsistent', ...problem })),
    });
  const problems = [...bundleProblems(body), ...unknown];
  if (problems.length === 0)
    problems.push(...wordingProblems(environment, body, await readCurrent(tables.Questionnaires, body)));
  if (problems.length > 0) return refused(problems);
  const current = await readBundle(tables.Questionnaires, params.bundleId);
  const revision = current?.revision ?? 0;
  const given = { ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] };
  const precondition = preconditionOf(revision, given);
  if (precondition === 'missing') return fail(PreconditionRequired);
  if (precondition === 'failed') return fail(PreconditionFailed);
  const row = { ...params, ...body, revision: revision + 1, changeId: requestId };
  const audit = {
    application,
    actor: caller.userId,
    action: questionnaireBundleReplaced,
    subject: `questionnaire-bundle/${params.bundleId}`,
    requestId,
    ...changedFields(current, body),
    realNow: new Date(),
  };
  const beside = async () => {
    const guard = await wordingGuard(tables.Questionnaires);
    const unworded = wordingProblems(environment, body, await readCurrent(tables.Questionnaires, body));
    if (unworded.length > 0) throw refused(unworded);
    return [guard];
  };
  const more = { audit, ...(isWordingNeeded(environment) && { beside }) };
  const isWritten = await writeBundle(tables, row, more);
  return isWritten ? { etag: etagOf(row.revision), body: row } : fail(PreconditionFailed);
});

type BundleBody = { readonly questionnaireIds: readonly string[] };

async function readCurrent(table: Questionnaires<'get'>, { questionnaireIds }: BundleBody) {
  const read = async (id: string): Promise<[string, Published | null]> => [id, await readVersion(table, id)];
  return new Map(await Promise.all(questionnaireIds.map(read)));
}
