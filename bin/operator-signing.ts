import { KMSClient } from '@aws-sdk/client-kms';
import { S3Client } from '@aws-sdk/client-s3';
import { commandLimits } from '../lib/runtime/limits.ts';
import type { StageAccess } from './stage-access.ts';

/** Signs statements of an operator with `ImportKey` and puts them into the bucket of evidence. No function may do this. */
export async function operatorSigning(access: StageAccess, stage: string | undefined) {
  return {
    evidence: {
      s3: new S3Client({ ...commandLimits, ...access.client('s3') }),
      bucket: await access.outputs('EvidenceBucketName'),
    },
    kms: new KMSClient({ ...commandLimits, ...access.client('kms') }),
    keyArn: await access.outputs('ImportKeyArn'),
    environment: stage ?? 'dev',
  };
}
