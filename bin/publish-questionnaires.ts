import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { environments } from '../functions/product.ts';
import { publishDefinition } from '../functions/questionnaires/jobs/publish-questionnaires.ts';
import { dryRun, readDefinition } from '../functions/questionnaires/jobs/questionnaire-file.ts';
import { environmentNamed } from '../lib/contract/environment-named.ts';
import { commandLimits } from '../lib/runtime/limits.ts';
import { stageAccess } from './stage-access.ts';

/**
 * `npm run publish-questionnaires -- --stage dev --file phq-9.json`: publishes a questionnaire on a deployed stage, with the
 * shell's AWS credentials and region, or with `--local` on the running local one. `--dry-run answers.json` publishes
 * nothing, and prints the scores and flags that the file computes from these answers. Publishing a file again changes nothing. The
 * audit event names `publish-questionnaires`; AWS CloudTrail shows who ran it.
 */

const usage =
  'npm run publish-questionnaires -- --file questionnaire.json and --stage dev|staging|prod, --local or --dry-run answers.json';

try {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      local: { type: 'boolean' },
      file: { type: 'string' },
      'dry-run': { type: 'string' },
    },
  });
  if (!values.file) throw new Error(usage);
  const definition = readDefinition(await readFile(values.file, 'utf8'));
  const sample = values['dry-run'];
  if (sample !== undefined) {
    for (const line of dryRun(definition, await readFile(sample, 'utf8'))) console.log(line);
  } else {
    const access = await stageAccess(values);
    const place = {
      environment: values.local ? ('dev' as const) : environmentNamed(environments, values.stage),
      dynamo: DynamoDBDocumentClient.from(new DynamoDBClient({ ...commandLimits, ...access.client('dynamodb') })),
      tables: {
        Questionnaires: await access.outputs('QuestionnairesTableName'),
        AuditEvents: await access.outputs('AuditEventsTableName'),
      },
    };
    const occasion = {
      application: 'medinfo',
      actor: 'publish-questionnaires',
      requestId: randomUUID(),
      realNow: new Date(),
    };
    console.log(await publishDefinition(place, definition, occasion));
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
