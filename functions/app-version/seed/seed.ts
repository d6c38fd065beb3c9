import { readFile } from 'node:fs/promises';
import { applications } from '../../product.ts';
import { addPolicy, readPolicyFile } from '../jobs/publish-policy.ts';

/** Fixed, so that every start of the local stage has the same past. */
const seededAt = '2026-01-01T00:00:00.000Z';

const platforms = ['ios', 'android'] as const;

/** A development policy for each application and platform; one that is there already stays as it is. */
export async function seedPolicies(tables: Parameters<typeof addPolicy>[0]): Promise<void> {
  const occasion = { application: 'medinfo', actor: 'seed', requestId: 'seed', realNow: new Date(seededAt) };
  for (const application of applications) {
    for (const platform of platforms) {
      const file = new URL(`${application}-${platform}.json`, import.meta.url);
      await addPolicy(tables, { application, platform }, readPolicyFile(await readFile(file, 'utf8')), occasion);
    }
  }
}
