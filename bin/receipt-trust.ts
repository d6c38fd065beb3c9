import type { KMSClient } from '@aws-sdk/client-kms';
import { S3Client } from '@aws-sdk/client-s3';
import type { KeyTrust } from '../functions/receipts/stores/published-keys.ts';
import { commandLimits } from '../lib/runtime/limits.ts';
import type { Objects } from '../lib/runtime/objects.ts';
import { publicKeysOf } from '../lib/runtime/sign.ts';
import type { StageAccess } from './stage-access.ts';

/** ARNs of earlier generations of the keys, oldest first. */
export type EarlierKeys = {
  readonly receiptKey: readonly string[];
  readonly manifestKey: readonly string[];
  readonly vouchingKey: readonly string[];
  readonly revocationKey: readonly string[];
};

/** Where the statements about receipts' keys are stored, and which signers are trusted, from the stage's outputs and KMS. */
export async function receiptTrust(
  access: StageAccess,
  kms: KMSClient,
  environment: string,
  earlier: EarlierKeys,
): Promise<{ readonly evidence: Objects; readonly trust: KeyTrust }> {
  const keys = async (name: string, before: readonly string[]) =>
    publicKeysOf(kms, [...before, await access.outputs(`${name}Arn`)]);
  return {
    evidence: {
      s3: new S3Client({ ...commandLimits, ...access.client('s3') }),
      bucket: await access.outputs('EvidenceBucketName'),
    },
    trust: {
      environment,
      receiptKeys: await keys('ReceiptKey', earlier.receiptKey),
      manifestKeys: await keys('ResearchManifestKey', earlier.manifestKey),
      vouchingKeys: await keys('VouchingKey', earlier.vouchingKey),
      revocationKeys: await keys('RevocationKey', earlier.revocationKey),
    },
  };
}
