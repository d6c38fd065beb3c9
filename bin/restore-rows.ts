import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { AccessLog } from '../functions/access/about.ts';
import { AuditEvents } from '../functions/audit/tables.ts';
import { accessLogChangesPrefix, auditChangesPrefix } from '../functions/evidence/buckets.ts';
import { restoreRows } from '../functions/evidence/jobs/restore-rows.ts';
import type { Table } from '../lib/contract/tables.ts';
import { commandLimits } from '../lib/runtime/limits.ts';
import { stageAccess } from './stage-access.ts';

/**
 * `npm run restore-rows -- --object audit-changes/…json --stage prod [--dry-run]`, or `--local`: puts rows of `AuditEvents` or
 * `AccessLog` back as they were before an attack (docs/runbook.md, "Audit events tampered with").
 */

const usage = 'npm run restore-rows -- --object <object> [--dry-run] --stage dev|staging|prod | --local';

const tables: Readonly<Record<string, Table>> = {
  [auditChangesPrefix]: AuditEvents,
  [accessLogChangesPrefix]: AccessLog,
};

try {
  const { values } = parseArgs({
    options: {
      object: { type: 'string' },
      'dry-run': { type: 'boolean' },
      stage: { type: 'string' },
      local: { type: 'boolean' },
    },
  });
  const { object = '' } = values;
  const [, table] = Object.entries(tables).find(([prefix]) => object.startsWith(prefix)) ?? [];
  if (!table) throw new Error(usage);
  const access = await stageAccess(values);
  const lines = await restoreRows(
    {
      dynamo: new DynamoDBClient({ ...commandLimits, ...access.client('dynamodb') }),
      evidence: {
        s3: new S3Client({ maxAttempts: 3, ...access.client('s3') }),
        bucket: await access.outputs('EvidenceBucketName'),
      },
      table: await access.outputs(`${table.name}TableName`),
      keys: [table.partitionKey, table.sortKey ?? ''],
      isTrial: values['dry-run'] ?? false,
    },
    object,
  );
  for (const line of lines) console.log(line);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
