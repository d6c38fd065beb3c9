import type { Environment } from '../../../lib/contract/register.ts';
import type { Bundle } from './bundle.ts';
import type { BundleProblem } from './bundle-problems.ts';
import type { Definition, Texts } from './definition.ts';

/**
 * Which instruments have no wording, because it needs a licence. Where patients are treated, no programme asks for one
 * of them. The stage `dev` shows the marked placeholders. Pure.
 */

/** The languages of the programmes. */
const patientLanguages = ['en', 'de'] as const;

type Worded = Pick<Definition, 'wording' | 'title' | 'items'>;

/** The patients' languages in which the questionnaire has no wording; of one that is not published: all. */
export function languagesWithoutWording(definition: Worded | null): string[] {
  if (definition === null || definition.wording === 'placeholder') return [...patientLanguages];
  const { title, items } = definition;
  const texts = [title, ...items.flatMap(({ text, options = [] }) => [text, ...options.map((option) => option.text)])];
  return patientLanguages.filter((language) => texts.some((each) => !isIn(each, language)));
}

function isIn(texts: Texts, language: string): boolean {
  return Object.keys(texts).some((locale) => locale.toLowerCase().split('-')[0] === language);
}

/** Whether a programme asks for it: the questionnaires of a sleep window belong to every programme. */
function isOfProgramme({ programmeId, anchor }: Pick<Bundle, 'programmeId' | 'anchor'>): boolean {
  return programmeId !== null || anchor === 'window';
}

export function isWordingNeeded(environment: Environment): boolean {
  return environment !== 'dev';
}

/** @param definitions the current version of each of its questionnaires; null if none is published */
export function wordingProblems(
  environment: Environment,
  bundle: Pick<Bundle, 'programmeId' | 'anchor' | 'questionnaireIds'>,
  definitions: ReadonlyMap<string, Worded | null>,
): BundleProblem[] {
  if (!isWordingNeeded(environment) || !isOfProgramme(bundle)) return [];
  return bundle.questionnaireIds.flatMap((id, index) => {
    const languages = languagesWithoutWording(definitions.get(id) ?? null);
    if (languages.length === 0) return [];
    return [{ path: `questionnaireIds[${index}]`, message: `has no wording in ${languages.join(', ')}` }];
  });
}

/** A version becomes the current one of every bundle that names its questionnaire. */
export function versionWordingProblems(
  environment: Environment,
  definition: Worded & Pick<Definition, 'questionnaireId'>,
  bundles: readonly Bundle[],
): BundleProblem[] {
  const naming = bundles.filter((bundle) => {
    return isOfProgramme(bundle) && bundle.questionnaireIds.includes(definition.questionnaireId);
  });
  const languages = languagesWithoutWording(definition);
  if (!isWordingNeeded(environment) || languages.length === 0) return [];
  return naming.map(({ bundleId }) => ({
    path: definition.wording === undefined ? 'items' : 'wording',
    message: `is not there in ${languages.join(', ')}, and the bundle ${bundleId} of a programme asks for it`,
  }));
}

/** Each new bundle and each new version changes it. */
export type WordingGuard = { readonly revision: number };
