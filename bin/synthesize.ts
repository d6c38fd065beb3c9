import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { documentsOf } from '../lib/runtime/documents.ts';
import { stageAccess } from './stage-access.ts';
import { seededContents } from './synthetic-patients/contents.ts';
import { syntheticPatients } from './synthetic-patients/patients.ts';
import type { SyntheticTable } from './synthetic-patients/rows.ts';
import { writePatients } from './synthetic-patients/write.ts';

type Options = { readonly patients: number; readonly days: number; readonly seed: string; readonly until?: string };

const limits = { maxAttempts: 5, requestHandler: { connectionTimeout: 3000, requestTimeout: 20_000 } };

export async function run({ until = yesterday(), ...plan }: Options): Promise<void> {
  if (until > yesterday()) throw new Error(`until must be ${yesterday()} at the latest: nothing happens in the future`);
  const access = await stageAccess({ local: true });
  const name = (table: SyntheticTable) => access.outputs(`${table}TableName`);
  const tables = {
    ConsentRecords: await name('ConsentRecords'),
    ConsentStates: await name('ConsentStates'),
    Devices: await name('Devices'),
    DeviceTokens: await name('DeviceTokens'),
    LearningProgress: await name('LearningProgress'),
    QuestionnaireResponses: await name('QuestionnaireResponses'),
    SleepEntries: await name('SleepEntries'),
    Users: await name('Users'),
  };
  const contents = await seededContents();
  const client = documentsOf(new DynamoDBClient({ ...limits, ...access.client('dynamodb') }));
  const progress = (written: number) => console.error(`${written} patients are written`);
  const written = await writePatients(
    { client, tables },
    syntheticPatients({ ...plan, until }, contents),
    contents,
    progress,
  );
  console.log(
    `wrote ${written} patients with ${plan.days} days of data until ${until}; ${plan.patients - written} existed already`,
  );
}

function yesterday(): string {
  return new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
}
