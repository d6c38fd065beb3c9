import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { AccessLog } from '../functions/access/data-subject.ts';
import { AuditEvents } from '../functions/audit/tables.ts';
import { accessLogChangesPrefix, auditChangesPrefix } from '../functions/evidence/buckets.ts';
import { restoreRows } from '../functions/evidence/jobs/restore-rows.ts';
import type { Table } from '../lib/contract/tables.ts';
import { commandLimits } from '../lib/runtime/limits.ts';
import { oneLine, say } from './progress.ts';
import { type StageArguments, stageAccess } from './stage-access.ts';

type Options = StageArguments & { readonly object: string; readonly dryRun: boolean };

const tables: Readonly<Record<string, Table>> = {
  [auditChangesPrefix]: AuditEvents,
  [accessLogChangesPrefix]: AccessLog,
};

export async function run({ object, dryRun, ...options }: Options): Promise<void> {
  const [, table] = Object.entries(tables).find(([prefix]) => object.startsWith(prefix)) ?? [];
  if (!table) throw new Error(`--object begins with ${Object.keys(tables).join(' or ')}`);
  const access = await stageAccess(options);
  const lines = await restoreRows(
    {
      dynamo: new DynamoDBClient({ ...commandLimits, ...access.client('dynamodb') }),
      evidence: {
        s3: new S3Client({ maxAttempts: 3, ...access.client('s3') }),
        bucket: await access.outputs('EvidenceBucketName'),
      },
      table: await access.outputs(`${table.name}TableName`),
      keys: [table.partitionKey, table.sortKey ?? ''],
      isTrial: dryRun,
    },
    object,
  );
  for (const line of lines) say(oneLine(line));
}
