import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { documentsOf } from '../lib/runtime/documents.ts';
import { stageAccess } from './stage-access.ts';
import { seededContents } from './synthetic-patients/contents.ts';
import { syntheticPatients } from './synthetic-patients/patients.ts';
import type { SyntheticTable } from './synthetic-patients/rows.ts';
import { writePatients } from './synthetic-patients/write.ts';

/**
 * `npm run synthesize -- --local --patients 200 --days 60 --seed 1`: puts patients who do not exist into the running local stage. It
 * works only there: in the ledger of a deployed stage they would be backdated evidence about nobody.
 */

const limits = { maxAttempts: 5, requestHandler: { connectionTimeout: 3000, requestTimeout: 20_000 } };

try {
  const { values } = parseArgs({
    options: {
      local: { type: 'boolean' },
      patients: { type: 'string', default: '200' },
      days: { type: 'string', default: '60' },
      seed: { type: 'string', default: '1' },
      until: { type: 'string', default: yesterday() },
    },
  });
  const { seed, until } = values;
  if (until > yesterday()) throw new Error(`until must be ${yesterday()} at the latest: nothing happens in the future`);
  if (!values.local) throw new Error('synthetic patients are for the running local stage: --local');
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
  const plan = { patients: Number(values.patients), days: Number(values.days), seed, until };
  const client = documentsOf(new DynamoDBClient({ ...limits, ...access.client('dynamodb') }));
  const progress = (written: number) => console.error(`${written} patients are written`);
  const written = await writePatients({ client, tables }, syntheticPatients(plan, contents), contents, progress);
  console.log(
    `wrote ${written} patients with ${plan.days} days of data until ${until}; ${plan.patients - written} existed already`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function yesterday(): string {
  return new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
}
