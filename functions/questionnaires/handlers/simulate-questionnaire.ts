import { ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { simulateQuestionnaire } from '../routes.ts';
import { answerProblems, missingAnswers } from '../rules/answers.ts';
import { unmetConstraints } from '../rules/constraints.ts';
import { definitionProblems } from '../rules/definition-problems.ts';
import { enabledAnswers, enabledItems } from '../rules/enabled-items.ts';
import { flagsOf, scoresOf } from '../rules/scoring.ts';

export const handler = serve(simulateQuestionnaire)(async ({ body, fail }) => {
  const definition = { questionnaireId: 'draft', version: 'draft', ...body.definition };
  const issues = [
    ...definitionProblems(definition).map(({ path, message }) => ({ path: `definition.${path}`, message })),
    ...answerProblems(definition, body.answers),
  ].map(({ path, message }) => ({ in: 'body', path, code: 'inconsistent', message }) as const);
  if (issues.length > 0) return fail(ValidationFailed, { issues });
  const missing = missingAnswers(definition, body.answers);
  const answers = enabledAnswers(definition, body.answers);
  const scores = scoresOf(definition, answers);
  const unmet = unmetConstraints(definition, answers);
  return {
    isComplete: missing.length === 0 && unmet.length === 0,
    missing: missing.map(({ linkId }) => linkId),
    impossible: [...new Set(unmet.flatMap(({ linkIds }) => linkIds))],
    enabled: [...enabledItems(definition, answers)],
    scores,
    flags: flagsOf(definition, answers, scores),
  };
});
