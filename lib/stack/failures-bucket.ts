import { CfnBucket, CfnBucketPolicy } from 'aws-cdk-lib/aws-s3';
import { CfnOutput, type Stack } from 'aws-cdk-lib/core';
import { policy } from './policy.ts';
import { removal } from './removal.ts';
import type { Settings } from './settings.ts';

/**
 * Where Lambda puts what of a stream could not be consumed, whole: a dead-letter queue would get a pointer into the stream
 * alone, which is empty a day later.
 */
export function addFailuresBucket(stack: Stack, keyArn: string, { keepsData }: Settings): CfnBucket {
  const bucket = new CfnBucket(stack, 'StreamFailures', {
    bucketEncryption: {
      serverSideEncryptionConfiguration: [
        {
          serverSideEncryptionByDefault: { sseAlgorithm: 'aws:kms', kmsMasterKeyId: keyArn },
          bucketKeyEnabled: true,
        },
      ],
    },
    publicAccessBlockConfiguration: {
      blockPublicAcls: true,
      blockPublicPolicy: true,
      ignorePublicAcls: true,
      restrictPublicBuckets: true,
    },
    ownershipControls: { rules: [{ objectOwnership: 'BucketOwnerEnforced' }] },
    lifecycleConfiguration: {
      rules: [
        {
          id: 'Expire',
          status: 'Enabled',
          expirationInDays: 30,
          abortIncompleteMultipartUpload: { daysAfterInitiation: 1 },
        },
      ],
    },
  });
  bucket.applyRemovalPolicy(removal(keepsData));
  new CfnBucketPolicy(stack, 'StreamFailuresPolicy', {
    bucket: bucket.ref,
    policyDocument: policy({
      Sid: 'OnlyEncryptedConnections',
      Effect: 'Deny',
      Principal: '*',
      Action: 's3:*',
      Resource: [bucket.attrArn, `${bucket.attrArn}/*`],
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    }),
  });
  // For `replay-stream-failures`.
  new CfnOutput(stack, 'StreamFailuresBucketName', { value: bucket.ref });
  return bucket;
}
