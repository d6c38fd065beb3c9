import { fileURLToPath } from 'node:url';
import { applications } from '../../../lib/contract/deployments.ts';
import { readCatalogueFile } from '../jobs/catalogue-file.ts';
import { publishCatalogue } from '../jobs/publish-catalogue.ts';

/** The time that the seed's versions were published at: fixed, so that every start of the local stage has the same past. */
const seededAt = '2026-01-01T00:00:00.000Z';

/** Both applications' development catalogues, with their texts; running it twice changes nothing. */
export async function seedCatalogues(
  place: Parameters<typeof publishCatalogue>[0],
  publishedAt = seededAt,
): Promise<string[]> {
  const occasion = { application: 'medinfo', actor: 'seed', requestId: 'seed', realNow: new Date(publishedAt) };
  const done: string[] = [];
  for (const application of applications) {
    const file = fileURLToPath(new URL(`${application}/catalogue.json`, import.meta.url));
    done.push(...(await publishCatalogue(place, await readCatalogueFile(file, publishedAt), occasion)));
  }
  return done;
}
