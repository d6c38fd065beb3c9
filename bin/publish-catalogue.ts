import { parseArgs } from 'node:util';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { readCatalogueFile } from '../functions/agreements/catalogue-file.ts';
import { publishCatalogue } from '../functions/agreements/publish-catalogue.ts';
import { environmentNamed } from '../lib/contract/deployments.ts';
import { callLimits } from '../lib/runtime/clients.ts';

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
  const table = values.table ?? (await tableOf(values.stage));
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(callLimits));
  for (const line of await publishCatalogue(client, table, catalogue)) console.log(line);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** The catalogue's table, as the stack of the stage's data says. */
async function tableOf(stage: unknown): Promise<string> {
  const name = `MobileHealth-${environmentNamed(stage)}-State`;
  const { Stacks = [] } = await new CloudFormationClient(callLimits).send(
    new DescribeStacksCommand({ StackName: name }),
  );
  const output = Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === 'AgreementsTableName');
  if (!output?.OutputValue) throw new Error(`the stack ${name} has no output AgreementsTableName`);
  return output.OutputValue;
}
