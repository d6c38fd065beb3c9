import { stageAccess } from './stage-access.ts';
import { documentsAt, stageTables } from './stage-tables.ts';
import { seededContents } from './synthetic-patients/contents.ts';
import { syntheticPatients } from './synthetic-patients/patients.ts';
import { syntheticTables } from './synthetic-patients/rows.ts';
import { writePatients } from './synthetic-patients/write.ts';

type Options = { readonly patients: number; readonly days: number; readonly seed: string; readonly until?: string };

const limits = { maxAttempts: 5, requestHandler: { connectionTimeout: 3000, requestTimeout: 20_000 } };

export async function run({ until = yesterday(), ...plan }: Options): Promise<void> {
  if (until > yesterday()) throw new Error(`until must be ${yesterday()} at the latest: nothing happens in the future`);
  const access = await stageAccess({ local: true });
  const contents = await seededContents();
  const tables = await stageTables(access, syntheticTables, documentsAt(access, limits));
  const progress = (written: number) => console.error(`${written} patients are written`);
  const written = await writePatients({ tables }, syntheticPatients({ ...plan, until }, contents), contents, progress);
  console.log(
    `wrote ${written} patients with ${plan.days} days of data until ${until}; ${plan.patients - written} existed already`,
  );
}

function yesterday(): string {
  return new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
}
