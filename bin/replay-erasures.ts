import { S3Client } from '@aws-sdk/client-s3';
import { replayErasures } from '../functions/erasure/jobs/replay-erasures.ts';
import { Erasures, LegalHolds } from '../functions/erasure/tables.ts';
import { Accounts } from '../lib/contract/accounts.ts';
import { counting, oneLine, say } from './progress.ts';
import { type StageArguments, stageAccess } from './stage-access.ts';
import { stageTables } from './stage-tables.ts';

const s3Limits = { maxAttempts: 3, requestHandler: { connectionTimeout: 2000, requestTimeout: 10_000 } };

export async function run({ backupOf, ...options }: StageArguments & { readonly backupOf?: Date }): Promise<void> {
  const access = await stageAccess(options);
  const tables = await stageTables(access, [Erasures, Accounts, LegalHolds]);
  const deps = {
    s3: new S3Client({ ...s3Limits, ...access.client('s3') }),
    table: tables.Erasures,
    accounts: tables.Accounts,
    holds: tables.LegalHolds,
    bucket: await access.outputs('EvidenceBucketName'),
  };
  const { users, again, ignored, toLift, failed } = await replayErasures(deps, backupOf, counting('users'));
  say(`${users} users in the log of erasures; ${again} erasures are queued to be done again`);
  if (ignored > 0) console.error(`${ignored} objects there are not states of an erasure, and were ignored`);
  for (const userId of toLift) say(oneLine(`to lift, if its audit event says so: the hold of user ${userId}`));
  for (const { userId, error } of failed)
    say(
      oneLine(`not replayed: user ${userId}: ${error instanceof Error ? `${error.name}: ${error.message}` : error}`),
      console.error,
    );
  if (failed.length > 0) process.exitCode = 1;
}
