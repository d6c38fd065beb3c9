import type { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { CfnOutput, type Stack } from 'aws-cdk-lib/core';
import { addPrivateBucket, type BucketHome } from './private-bucket.ts';

/**
 * Where Lambda puts what of a stream could not be consumed, whole: a dead-letter queue would get a pointer into the stream
 * alone, which is empty a day later.
 */
export function addFailuresBucket(stack: Stack, home: BucketHome): CfnBucket {
  const bucket = addPrivateBucket(stack, 'StreamFailures', home, {
    lifecycleConfiguration: {
      rules: [
        {
          id: 'Expire',
          status: 'Enabled',
          expirationInDays: 30,
          // What was replayed and deleted can be had back for a day.
          noncurrentVersionExpiration: { noncurrentDays: 1 },
          abortIncompleteMultipartUpload: { daysAfterInitiation: 1 },
        },
      ],
    },
  });
  // For `replay-stream-failures`.
  new CfnOutput(stack, 'StreamFailuresBucketName', { value: bucket.ref });
  return bucket;
}
