import type { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { CfnOutput, type Stack } from 'aws-cdk-lib/core';
import type { Watch } from './alarm.ts';
import { addFailuresAlarm } from './alarms.ts';
import { addPrivateBucket, type BucketHome } from './private-bucket.ts';

/**
 * Lambda puts the stream records that could not be consumed here, as a whole. A dead-letter queue would get only a pointer
 * into the stream, and the stream is empty a day later.
 */
export function addFailuresBucket(stack: Stack, watch: Watch, home: BucketHome): CfnBucket {
  const bucket = addPrivateBucket(stack, 'StreamFailures', home, {
    lifecycleConfiguration: {
      rules: [
        {
          id: 'Expire',
          status: 'Enabled',
          expirationInDays: 30,
          // An object that was replayed and deleted can be restored for a day.
          noncurrentVersionExpiration: { noncurrentDays: 1 },
          abortIncompleteMultipartUpload: { daysAfterInitiation: 1 },
        },
      ],
    },
  });
  addFailuresAlarm(stack, watch, bucket);
  // For `replay-stream-failures`.
  new CfnOutput(stack, 'StreamFailuresBucketName', { value: bucket.ref });
  return bucket;
}
