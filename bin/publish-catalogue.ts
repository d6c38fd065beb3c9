import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { readCatalogueFile } from '../functions/agreements/catalogue-file.ts';
import { publishCatalogue } from '../functions/agreements/publish-catalogue.ts';
import { callLimits } from '../lib/runtime/clients.ts';
import { stateOutput } from './stack-outputs.ts';

/**
 * `npm run publish-catalogue -- --stage dev --file …/catalogue.json`: brings a catalogue file to a deployed stage, with
 * the shell's AWS credentials and region. Publishing a file again changes nothing. `--table` names the table itself.
 */

const usage = 'npm run publish-catalogue -- --stage dev|staging|prod --file catalogue.json [--table name]';

try {
  const { values } = parseArgs({
    options: { stage: { type: 'string' }, file: { type: 'string' }, table: { type: 'string' } },
  });
  if (!values.file || !(values.stage || values.table)) throw new Error(usage);
  const { catalogue } = await readCatalogueFile(values.file, new Date().toISOString());
  const table = values.table ?? (await stateOutput(values.stage, 'AgreementsTableName'));
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(callLimits));
  for (const line of await publishCatalogue(client, table, catalogue)) console.log(line);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
