import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { replayErasures } from '../functions/erasure/replay-store.ts';
import { callLimits } from '../lib/runtime/clients.ts';
import { stageAccess } from './stage-access.ts';

/**
 * `npm run replay-erasures -- --stage dev|staging|prod`, or `--local` for the running local stage: after tables were
 * restored from a backup, every erasure and every legal hold that the log in the bucket of evidence knows is made true
 * again. It only queues: `erase-accounts` does it within five minutes, `release-consents` within a day. Before it, and
 * from before the restore on, the schedules of both have to be off (docs/decisions/0020-erasure.md).
 */

const s3Limits = { maxAttempts: 3, requestHandler: { connectionTimeout: 2000, requestTimeout: 10_000 } };

try {
  const { values } = parseArgs({ options: { stage: { type: 'string' }, local: { type: 'boolean' } } });
  const access = await stageAccess(values);
  const { users, again } = await replayErasures({
    dynamo: DynamoDBDocumentClient.from(new DynamoDBClient({ ...callLimits, ...access.client('dynamodb') })),
    s3: new S3Client({ ...s3Limits, ...access.client('s3') }),
    table: await access.outputs('ErasuresTableName'),
    bucket: await access.outputs('EvidenceBucketName'),
  });
  console.log(`${users} users in the log of erasures; ${again} erasures are queued to be done again`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
