import type { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Aws, type Stack } from 'aws-cdk-lib/core';
import type { Settings } from '../contract/settings.ts';
import { acknowledge } from './acknowledgements.ts';
import { addPrivateBucket } from './private-bucket.ts';

export const logBucketId = 'BucketAccessLogs';

/**
 * S3's access log of the other buckets: who requested which object. S3 delivers it only to a bucket under S3's own keys:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/enable-server-access-logging.html
 */
export function addAccessLogBucket(stack: Stack, keyArn: string, settings: Settings): CfnBucket {
  const bucket = addPrivateBucket(
    stack,
    logBucketId,
    { keyArn, settings, accessLogs: null },
    {
      bucketEncryption: {
        serverSideEncryptionConfiguration: [{ serverSideEncryptionByDefault: { sseAlgorithm: 'AES256' } }],
      },
      lifecycleConfiguration: {
        rules: [
          {
            id: 'Expire',
            status: 'Enabled',
            expirationInDays: settings.logRetentionDays,
            noncurrentVersionExpiration: { noncurrentDays: 1 },
          },
        ],
      },
    },
    ({ attrArn }) => [
      {
        Sid: 'LogsOfThisAccount',
        Effect: 'Allow',
        Principal: { Service: 'logging.s3.amazonaws.com' },
        Action: 's3:PutObject',
        Resource: `${attrArn}/*`,
        Condition: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      },
    ],
  );
  acknowledge(bucket, 'logDelivery');
  return bucket;
}
