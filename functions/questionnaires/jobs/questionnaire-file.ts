import * as z from 'zod/mini';
import { answerProblems, missingAnswers } from '../rules/answers.ts';
import type { Bundle } from '../rules/bundle.ts';
import { bundleProblems } from '../rules/bundle-problems.ts';
import { unmetConstraints } from '../rules/constraints.ts';
import type { Answer, Definition } from '../rules/definition.ts';
import { definitionProblems } from '../rules/definition-problems.ts';
import { enabledAnswers } from '../rules/enabled-items.ts';
import { flagsOf, scoresOf } from '../rules/scoring.ts';
import { Answers, QuestionnaireBundleContent, QuestionnaireContent, QuestionnaireId } from '../schemas.ts';

/** The files of operators: a questionnaire, bundles, sample answers. */

const id = z.string().check(z.regex(/^[A-Za-z0-9._-]{1,64}$/));
const Named = z.object({ questionnaireId: QuestionnaireId, version: id });
const Bundles = z.object({ bundles: z.array(z.looseObject({ bundleId: id })) });

/** @throws an Error that says all that is wrong */
export function readDefinition(text: string): Definition {
  const file: unknown = JSON.parse(text);
  const definition = { ...z.parse(Named, file), ...z.parse(QuestionnaireContent, file) };
  assertNone(definitionProblems(definition));
  return definition;
}

/** @throws an Error that says all that is wrong */
export function readBundles(text: string): Bundle[] {
  return z.parse(Bundles, JSON.parse(text)).bundles.map((bundle) => {
    const content = z.parse(QuestionnaireBundleContent, bundle);
    assertNone(bundleProblems(content));
    return { bundleId: bundle.bundleId, ...content };
  });
}

/**
 * The results of sample answers under a definition, one line for each result.
 *
 * @throws an Error if the answers do not fit
 */
export function dryRun(definition: Definition, text: string): string[] {
  const given: Answer[] = z.parse(Answers, JSON.parse(text));
  assertNone(answerProblems(definition, given));
  const answers = enabledAnswers(definition, given);
  const scores = scoresOf(definition, answers);
  const missing = missingAnswers(definition, given).map(({ linkId }) => linkId);
  const unmet = unmetConstraints(definition, answers).map(({ linkIds }) => linkIds);
  return [
    ...scores.map(
      ({ scoreId, value, bandId }) => `${scoreId}: ${value ?? 'none'}${bandId === null ? '' : ` (${bandId})`}`,
    ),
    ...flagsOf(definition, answers, scores).map((code) => `raises ${code}`),
    ...unmet.map((linkIds) => `cannot be completed: ${linkIds.join(', ')} cannot be together`),
    ...(missing.length > 0 ? [`cannot be completed without ${missing.join(', ')}`] : []),
    ...(missing.length + unmet.length === 0 ? ['can be completed'] : []),
  ];
}

function assertNone(problems: readonly { readonly path: string; readonly message: string }[]): void {
  if (problems.length === 0) return;
  throw new Error(problems.map(({ path, message }) => `${path} ${message}`).join('\n'));
}
