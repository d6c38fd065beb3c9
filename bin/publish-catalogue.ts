import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { readCatalogueFile } from '../functions/agreements/jobs/catalogue-file.ts';
import { publishCatalogue } from '../functions/agreements/jobs/publish-catalogue.ts';
import { commandLimits } from '../lib/runtime/limits.ts';
import { stageAccess } from './stage-access.ts';

/**
 * `npm run publish-catalogue -- --stage dev --file …/catalogue.json`: publishes a catalogue file and its texts on a deployed
 * stage, with the shell's AWS credentials and region, or with `--local` on the running local one. Publishing a file again
 * changes nothing. The audit events name `publish-catalogue`; AWS CloudTrail shows who ran it.
 */

const usage =
  'npm run publish-catalogue -- --stage dev|staging|prod --file catalogue.json, or --local in place of a stage';

const s3Limits = { maxAttempts: 3, requestHandler: { connectionTimeout: 2000, requestTimeout: 10_000 } };

try {
  const { values } = parseArgs({
    options: { stage: { type: 'string' }, local: { type: 'boolean' }, file: { type: 'string' } },
  });
  if (!values.file) throw new Error(usage);
  const realNow = new Date();
  const catalogue = await readCatalogueFile(values.file, realNow.toISOString());
  const access = await stageAccess(values);
  const place = {
    dynamo: DynamoDBDocumentClient.from(new DynamoDBClient({ ...commandLimits, ...access.client('dynamodb') })),
    s3: new S3Client({ ...s3Limits, ...access.client('s3') }),
    tables: {
      Agreements: await access.outputs('AgreementsTableName'),
      AuditEvents: await access.outputs('AuditEventsTableName'),
    },
    bucket: await access.outputs('AgreementContentsBucketName'),
  };
  const occasion = { application: 'medinfo', actor: 'publish-catalogue', requestId: randomUUID(), realNow };
  for (const line of await publishCatalogue(place, catalogue, occasion)) console.log(line);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
