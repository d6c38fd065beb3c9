import { KMSClient } from '@aws-sdk/client-kms';
import { revokeKey } from '../functions/receipts/jobs/revoke-key.ts';
import { commandLimits } from '../lib/runtime/limits.ts';
import { type EarlierKeys, receiptTrust } from './receipt-trust.ts';
import { type StageArguments, stageAccess } from './stage-access.ts';

type Options = StageArguments & EarlierKeys & { readonly kid: string; readonly from?: Date };

export async function run({ kid, from: revokedAt = new Date(), ...options }: Options): Promise<void> {
  const access = await stageAccess(options);
  const kms = new KMSClient({ ...commandLimits, ...access.client('kms') });
  const revoking = {
    kms,
    ...(await receiptTrust(access, kms, options.stage ?? 'dev', options)),
    revocationKeyArn: await access.outputs('RevocationKeyArn'),
  };
  await revokeKey(revoking, kid, revokedAt);
  console.log(`${kid} is revoked from ${revokedAt.toISOString()} on`);
}
