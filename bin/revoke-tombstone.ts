import { parseArgs } from 'node:util';
import { KMSClient } from '@aws-sdk/client-kms';
import { S3Client } from '@aws-sdk/client-s3';
import { revokeTombstone } from '../functions/ledger/jobs/revoke-tombstone.ts';
import { callLimits } from '../lib/runtime/clients.ts';
import { stageAccess } from './stage-access.ts';

/**
 * `npm run revoke-tombstone -- --user U --tombstone <sha256> --by name --reason LEGAL-2026-117 --stage prod`, or `--local`: a
 * tombstone that no erasure demanded counts for nothing from now on (docs/runbook.md, "Check ledger found").
 */

const usage =
  'npm run revoke-tombstone -- --user U --tombstone <sha256 of the object> --by name --reason CASE-2026-1 --stage dev|staging|prod | --local';

try {
  const { values } = parseArgs({
    options: {
      user: { type: 'string' },
      tombstone: { type: 'string' },
      by: { type: 'string' },
      reason: { type: 'string' },
      stage: { type: 'string' },
      local: { type: 'boolean' },
    },
  });
  const { user: userId, tombstone = '', by, reason = '' } = values;
  const isComplete = /^[0-9a-f]{64}$/.test(tombstone) && /^[A-Z]{2,12}-\d{4}-\d{1,8}$/.test(reason);
  if (!userId || !by || !isComplete) throw new Error(usage);
  const access = await stageAccess(values);
  await revokeTombstone({
    evidence: {
      s3: new S3Client({ ...callLimits, ...access.client('s3') }),
      bucket: await access.outputs('EvidenceBucketName'),
    },
    kms: new KMSClient({ ...callLimits, ...access.client('kms') }),
    keyArn: await access.outputs('ImportKeyArn'),
    environment: values.stage ?? 'dev',
    userId,
    tombstone,
    by,
    reason,
    now: new Date(),
  });
  console.log(`${tombstone} counts for nothing from now on`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
