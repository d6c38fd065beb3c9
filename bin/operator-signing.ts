import { KMSClient } from '@aws-sdk/client-kms';
import { S3Client } from '@aws-sdk/client-s3';
import { callLimits } from '../lib/runtime/clients.ts';
import type { StageAccess } from './stage-access.ts';

/** What an operator signs with `ImportKey` and lays into the bucket of evidence: no function may. */
export async function operatorSigning(access: StageAccess, stage: string | undefined) {
  return {
    evidence: {
      s3: new S3Client({ ...callLimits, ...access.client('s3') }),
      bucket: await access.outputs('EvidenceBucketName'),
    },
    kms: new KMSClient({ ...callLimits, ...access.client('kms') }),
    keyArn: await access.outputs('ImportKeyArn'),
    environment: stage ?? 'dev',
  };
}
