import type { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { CfnOutput, type Stack } from 'aws-cdk-lib/core';
import { type BucketName, buckets } from '../contract/buckets.ts';
import { addPrivateBucket, type BucketHome } from './private-bucket.ts';

export type Buckets = ReadonlyMap<BucketName, CfnBucket>;

/**
 * The buckets that functions reach, as `lib/contract/buckets.ts` declares them. Object Lock can be had from the start
 * alone, and needs versions. Texts have no retention by default, so that a draft can go; publishing puts them under a
 * legal hold, which has no end until somebody ends it.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock.html
 */
export function addBuckets(stack: Stack, home: BucketHome): Buckets {
  const { mode, days } = home.settings.evidenceRetention;
  const add = (name: BucketName) => {
    const bucket = addPrivateBucket(stack, name, home, {
      objectLockEnabled: true,
      objectLockConfiguration: {
        objectLockEnabled: 'Enabled',
        ...(name === 'Evidence' && { rule: { defaultRetention: { mode, days } } }),
      },
      ...(buckets[name].isUploadedTo && {
        corsConfiguration: {
          // Who may post is told by the signed policy, not by the page that does.
          corsRules: [{ allowedOrigins: ['*'], allowedMethods: ['GET', 'POST'], allowedHeaders: ['*'], maxAge: 600 }],
        },
      }),
    });
    new CfnOutput(stack, `${name}BucketName`, { value: bucket.ref });
    return bucket;
  };
  return new Map((Object.keys(buckets) as BucketName[]).map((name) => [name, add(name)]));
}
