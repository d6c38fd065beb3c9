import type { Environment } from '../../../lib/contract/register.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { questionnaireBundleReplaced } from '../audit-actions.ts';
import type { Bundle } from '../rules/bundle.ts';
import type { Definition } from '../rules/definition.ts';
import { isWordingNeeded, versionWordingProblems } from '../rules/wording.ts';
import { readBundle, readBundles, writeBundle } from '../stores/bundle-rows.ts';
import { type Publication, publish } from '../stores/version-rows.ts';
import { wordingGuard } from '../stores/wording-guard.ts';
import type { Questionnaires } from '../tables.ts';

/** Adds questionnaires and bundles to a stage. Existing ones stay as they are, so a second run adds nothing. */

export type PublishDependencies = {
  readonly tables: {
    readonly Questionnaires: Questionnaires<'get' | 'query' | 'put'>;
    readonly AuditEvents: AuditEvents<'put'>;
  };
};

type PublicationOccasion = Publication['occasion'];

/**
 * @returns a line that says what was done
 * @throws an Error if the version is published with other content, or if its wording is missing and a programme of the
 *   stage asks for it
 */
export async function publishDefinition(
  { tables, environment }: PublishDependencies & { readonly environment: Environment },
  definition: Definition,
  occasion: PublicationOccasion,
): Promise<string> {
  const beside = async () => {
    const guard = await wordingGuard(tables.Questionnaires);
    const bundles = await readBundles(tables.Questionnaires);
    const problems = versionWordingProblems(environment, definition, bundles);
    if (problems.length > 0) throw new Error(problems.map(({ path, message }) => `${path} ${message}`).join('\n'));
    return [guard];
  };
  const { questionnaireId, version } = definition;
  const now = occasion.realNow;
  const published = await publish(tables, {
    definition,
    now,
    occasion,
    ...(isWordingNeeded(environment) && { beside }),
  });
  if (!published) throw new Error(`${questionnaireId} ${version} is published with other content: name a new version`);
  return `${questionnaireId} ${version}: published ${published.publishedAt}`;
}

/** @returns a line that says what was done. An existing bundle is changed only through the API. */
export async function addBundle(
  { tables }: PublishDependencies,
  bundle: Bundle,
  occasion: PublicationOccasion,
): Promise<string> {
  const { bundleId, ...after } = bundle;
  if (await readBundle(tables.Questionnaires, bundleId)) return `bundle ${bundleId}: there already`;
  const row = { ...bundle, revision: 1, changeId: occasion.requestId };
  const audit = {
    ...occasion,
    realNow: new Date(),
    action: questionnaireBundleReplaced,
    subject: `questionnaire-bundle/${bundleId}`,
    before: null,
    after,
  };
  await writeBundle(tables, row, { audit });
  return `bundle ${bundleId}: added`;
}
