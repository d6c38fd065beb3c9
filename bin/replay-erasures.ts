import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { replayErasures } from '../functions/erasure/jobs/replay-erasures.ts';
import { documentsOf } from '../lib/runtime/documents.ts';
import { commandLimits } from '../lib/runtime/limits.ts';
import { stageAccess } from './stage-access.ts';

/**
 * `npm run replay-erasures -- --stage dev|staging|prod [--backup-of 2026-03-01T12:00:00Z]`, or `--local` for the running local stage.
 * Run it after tables were restored from a backup. It repeats every erasure and every legal hold in the log in the bucket of
 * evidence. It only queues the erasures: `erase-accounts` does them within five minutes, `release-consents` within a day. Switch the
 * schedules of both off before the restore, and leave them off until this command has run (docs/erasure.md). `--backup-of` is the
 * time to which the tables were restored. With it, accounts that were erased long before that time are not erased again. Do not use
 * it if that time is between an earlier restore and the end of its replay.
 */

const s3Limits = { maxAttempts: 3, requestHandler: { connectionTimeout: 2000, requestTimeout: 10_000 } };

try {
  const { values } = parseArgs({
    options: { stage: { type: 'string' }, local: { type: 'boolean' }, 'backup-of': { type: 'string' } },
  });
  const backupOf = values['backup-of'] === undefined ? undefined : new Date(values['backup-of']);
  if (backupOf && Number.isNaN(backupOf.getTime()))
    throw new Error('--backup-of is a time, such as 2026-03-01T12:00:00Z');
  const access = await stageAccess(values);
  const place = {
    dynamo: documentsOf(new DynamoDBClient({ ...commandLimits, ...access.client('dynamodb') })),
    s3: new S3Client({ ...s3Limits, ...access.client('s3') }),
    table: await access.outputs('ErasuresTableName'),
    accounts: await access.outputs('AccountsTableName'),
    holds: await access.outputs('LegalHoldsTableName'),
    bucket: await access.outputs('EvidenceBucketName'),
  };
  const { users, again, ignored, toLift, failed } = await replayErasures(place, backupOf);
  console.log(`${users} users in the log of erasures; ${again} erasures are queued to be done again`);
  if (ignored > 0) console.error(`${ignored} objects there are not states of an erasure, and were ignored`);
  for (const userId of toLift) console.log(`to lift, if its audit event says so: the hold of user ${userId}`);
  for (const { userId, error } of failed)
    console.error(
      `not replayed: user ${userId}: ${error instanceof Error ? `${error.name}: ${error.message}` : error}`,
    );
  if (failed.length > 0) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
