import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readCatalogueFile } from '../../functions/agreements/jobs/catalogue-file.ts';
import { readCourseFolder } from '../../functions/learning/jobs/course-folder.ts';
import { readDefinition } from '../../functions/questionnaires/jobs/questionnaire-file.ts';
import { scheduledQuestionnaires } from './answers.ts';
import type { Contents } from './patients.ts';

/** The time at which the seed publishes. */
const seededAt = '2026-01-01T00:00:00.000Z';

/** The contents of a new local stage, read from the files of the seeds. */
export async function seededContents(): Promise<Contents> {
  const pathOf = (file: string) => fileURLToPath(new URL(`../../functions/${file}`, import.meta.url));
  const { catalogue } = await readCatalogueFile(pathOf('agreements/seed/sleepcare/catalogue.json'), seededAt);
  const texts = scheduledQuestionnaires.map((id) => readFile(pathOf(`questionnaires/seed/${id}.json`), 'utf8'));
  const { course, faults } = await readCourseFolder(pathOf('learning/seed/sleep-basics'));
  if (!course) throw new Error(faults.map(({ message }) => message).join('\n'));
  return { agreements: catalogue, questionnaires: (await Promise.all(texts)).map(readDefinition), course };
}
