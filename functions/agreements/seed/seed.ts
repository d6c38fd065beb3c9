import { fileURLToPath } from 'node:url';
import { applications } from '../../product.ts';
import { readCatalogueFile } from '../jobs/catalogue-file.ts';
import { publishCatalogue } from '../jobs/publish-catalogue.ts';

/** When the seed's versions were published. It is fixed, so the rows are the same at every start of the local stage. */
const seededAt = '2026-01-01T00:00:00.000Z';

/** The development catalogues of both applications, with their texts. A second run changes nothing. */
export async function seedCatalogues(
  deps: Parameters<typeof publishCatalogue>[0],
  publishedAt = seededAt,
  realNow = new Date(),
): Promise<string[]> {
  // Audit events have the real time: the watcher of their table reports others.
  const occasion = { application: 'medinfo', actor: 'seed', requestId: 'seed', realNow };
  const done: string[] = [];
  for (const application of applications) {
    const file = fileURLToPath(new URL(`${application}/catalogue.json`, import.meta.url));
    done.push(...(await publishCatalogue(deps, await readCatalogueFile(file, publishedAt), occasion)));
  }
  return done;
}
