import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { revokeKey } from '../functions/receipts/jobs/revoke-key.ts';
import { callLimits } from '../lib/runtime/clients.ts';
import { stageAccess } from './stage-access.ts';

/**
 * `npm run revoke-receipt-key -- --kid K --stage prod`, or `--local`: receipts of this key verify with a warning from
 * `--from` on (now unless given). First a new generation is deployed: with a revoked key nothing is signed any more.
 */

const usage =
  'npm run revoke-receipt-key -- --kid K --stage dev|staging|prod | --local [--from time] [--ledger-key arn …]';

try {
  const { values } = parseArgs({
    options: {
      kid: { type: 'string' },
      stage: { type: 'string' },
      local: { type: 'boolean' },
      from: { type: 'string' },
      'ledger-key': { type: 'string', multiple: true, default: [] },
    },
  });
  const { kid, from, 'ledger-key': earlier } = values;
  const revokedAt = from === undefined ? new Date() : new Date(from);
  if (!kid || Number.isNaN(revokedAt.getTime())) throw new Error(usage);
  const access = await stageAccess(values);
  const revoking = {
    dynamo: DynamoDBDocumentClient.from(new DynamoDBClient({ ...callLimits, ...access.client('dynamodb') })),
    kms: new KMSClient({ ...callLimits, ...access.client('kms') }),
    table: await access.outputs('PublicKeysTableName'),
    environment: values.stage ?? 'dev',
    ledgerKeyArns: [await access.outputs('LedgerKeyArn'), ...earlier] as const,
    now: new Date(),
  };
  await revokeKey(revoking, kid, revokedAt);
  console.log(`${kid} is revoked from ${revokedAt.toISOString()} on`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
