import { ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { QuestionnaireVersionPublished } from '../errors.ts';
import { publishQuestionnaire } from '../routes.ts';
import { crisisHelp } from '../rules/crisis-help.ts';
import { type DefinitionProblem, definitionProblems } from '../rules/definition-problems.ts';
import { isWordingNeeded, versionWordingProblems } from '../rules/wording.ts';
import { readBundles } from '../stores/bundle-rows.ts';
import { publish } from '../stores/version-rows.ts';
import { wordingGuard } from '../stores/wording-guard.ts';

export const handler = serve(publishQuestionnaire)(async (input) => {
  const { params, body, caller, application, environment, now, requestId, tables, fail } = input;
  const definition = { ...params, ...body };
  const refused = (problems: readonly DefinitionProblem[]) =>
    fail(ValidationFailed, {
      issues: problems.map((problem) => ({ in: 'body', code: 'inconsistent', ...problem })),
    });
  const problems = definitionProblems(definition);
  if (problems.length > 0) return refused(problems);
  const beside = async () => {
    const guard = await wordingGuard(tables.Questionnaires);
    const bundles = await readBundles(tables.Questionnaires);
    const unworded = versionWordingProblems(environment, definition, bundles);
    if (unworded.length > 0) throw refused(unworded);
    return [guard];
  };
  const occasion = { application, actor: caller.userId, requestId, realNow: new Date() };
  const published = await publish(tables, {
    definition,
    now,
    occasion,
    ...(isWordingNeeded(environment) && { beside }),
  });
  if (!published) return fail(QuestionnaireVersionPublished);
  const nowhere = { locale: null, timezone: null };
  return { ...published, crisisHelp: published.flags.length > 0 ? crisisHelp(nowhere) : null };
});
