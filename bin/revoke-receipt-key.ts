import { parseArgs } from 'node:util';
import { KMSClient } from '@aws-sdk/client-kms';
import { revokeKey } from '../functions/receipts/jobs/revoke-key.ts';
import { commandLimits } from '../lib/runtime/limits.ts';
import { receiptTrust } from './receipt-trust.ts';
import { stageAccess } from './stage-access.ts';

/**
 * `npm run revoke-receipt-key -- --kid K --stage prod`, or `--local`: from `--from` on (default: now), receipts of this key verify
 * with a warning, and manifests no more. This cannot be undone. Deploy a new generation of the key first: a revoked key signs nothing.
 */

const usage =
  'npm run revoke-receipt-key -- --kid K --stage dev|staging|prod | --local [--from time] [--receipt-key arn …] [--manifest-key arn …] [--vouching-key arn …] [--revocation-key arn …]';

try {
  const { values } = parseArgs({
    options: {
      kid: { type: 'string' },
      stage: { type: 'string' },
      local: { type: 'boolean' },
      from: { type: 'string' },
      // Keys of earlier generations.
      'receipt-key': { type: 'string', multiple: true, default: [] },
      'manifest-key': { type: 'string', multiple: true, default: [] },
      'vouching-key': { type: 'string', multiple: true, default: [] },
      'revocation-key': { type: 'string', multiple: true, default: [] },
    },
  });
  const { kid, from } = values;
  const revokedAt = from === undefined ? new Date() : new Date(from);
  if (!kid || Number.isNaN(revokedAt.getTime())) throw new Error(usage);
  const access = await stageAccess(values);
  const kms = new KMSClient({ ...commandLimits, ...access.client('kms') });
  const revoking = {
    kms,
    ...(await receiptTrust(access, kms, values.stage ?? 'dev', values)),
    revocationKeyArn: await access.outputs('RevocationKeyArn'),
  };
  await revokeKey(revoking, kid, revokedAt);
  console.log(`${kid} is revoked from ${revokedAt.toISOString()} on`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
