import { readFile } from 'node:fs/promises';
import { addBundle, type PublishDependencies, publishDefinition } from '../jobs/publish-questionnaires.ts';
import { readBundles, readDefinition } from '../jobs/questionnaire-file.ts';
import type { Definition } from '../rules/definition.ts';

/** Fixed, so that every start of the local stage writes the same rows. */
const seededAt = '2026-01-01T00:00:00.000Z';

/** PHQ-9 and GAD-7 with their wording, which is free; the others with marked placeholders. */
const instruments = ['phq-9', 'gad-7', 'isi', 'psqi', 'ess', 'who-5', 'sleep-window-screening'];

/**
 * Writes the instruments, a bundle of a programme, and a bundle that is always open. Existing rows stay as they are.
 */
export async function seedQuestionnaires(deps: PublishDependencies): Promise<void> {
  const occasion = { application: 'medinfo', actor: 'seed', requestId: 'seed', realNow: new Date(seededAt) };
  for (const name of instruments) {
    await publishDefinition({ ...deps, environment: 'dev' }, await seededDefinition(name), occasion);
  }
  for (const bundle of readBundles(await textOf('bundles.json'))) await addBundle(deps, bundle, occasion);
}

export async function seededDefinition(name: string): Promise<Definition> {
  return readDefinition(await textOf(`${name}.json`));
}

async function textOf(file: string): Promise<string> {
  return readFile(new URL(file, import.meta.url), 'utf8');
}
