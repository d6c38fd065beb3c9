import type { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { CfnOutput, type Stack } from 'aws-cdk-lib/core';
import { buckets } from '../../functions/domains.ts';
import type { Bucket } from '../contract/buckets.ts';
import { addPrivateBucket, type BucketHome } from './private-bucket.ts';

/** By name. */
export type Buckets = ReadonlyMap<string, CfnBucket>;

/**
 * The buckets that functions reach, as the domains declare them. Object Lock can be had from the start alone, and needs
 * versions. Where a legal hold keeps an object, there is no retention by default: it can go until it is held, and then
 * not before somebody ends the hold.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock.html
 */
export function addBuckets(stack: Stack, home: BucketHome): Buckets {
  const { mode, days } = home.settings.evidenceRetention;
  const add = ({ name, lock, isUploadedTo }: Bucket) => {
    const bucket = addPrivateBucket(stack, name, home, {
      objectLockEnabled: true,
      objectLockConfiguration: {
        objectLockEnabled: 'Enabled',
        ...(lock === 'retention' && { rule: { defaultRetention: { mode, days } } }),
      },
      ...(isUploadedTo && {
        corsConfiguration: {
          // Who may post is told by the signed policy, not by the page that does.
          corsRules: [{ allowedOrigins: ['*'], allowedMethods: ['GET', 'POST'], allowedHeaders: ['*'], maxAge: 600 }],
        },
      }),
    });
    new CfnOutput(stack, `${name}BucketName`, { value: bucket.ref });
    return bucket;
  };
  return new Map(buckets.map((declared) => [declared.name, add(declared)]));
}
