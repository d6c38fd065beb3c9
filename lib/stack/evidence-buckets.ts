import type { CfnBucket, CfnBucketProps } from 'aws-cdk-lib/aws-s3';
import { CfnOutput, type Stack } from 'aws-cdk-lib/core';
import { buckets } from '../../functions/domains.ts';
import type { Bucket } from '../contract/buckets.ts';
import { acknowledge } from './acknowledgements.ts';
import { addPrivateBucket, type BucketHome } from './private-bucket.ts';
import type { Settings } from './settings.ts';

/** By name. */
export type Buckets = ReadonlyMap<string, CfnBucket>;

const hours = { abortIncompleteMultipartUpload: { daysAfterInitiation: 1 } } as const;

/** Object Lock, or expiry. */
function lifeOf({ lock, expiresAfterDays }: Bucket, { mode, days }: Settings['evidenceRetention']): CfnBucketProps {
  if (expiresAfterDays !== undefined) {
    const rule = { id: 'Expire', status: 'Enabled', expirationInDays: expiresAfterDays, ...hours };
    return { versioningConfiguration: { status: 'Suspended' }, lifecycleConfiguration: { rules: [rule] } };
  }
  return {
    objectLockEnabled: true,
    objectLockConfiguration: {
      objectLockEnabled: 'Enabled',
      ...(lock === 'retention' && { rule: { defaultRetention: { mode, days } } }),
    },
  };
}

/**
 * The buckets that functions reach, as the domains declare them. Object Lock is enabled when a bucket is made, and needs
 * versions. A bucket with legal holds has no default retention: an object can be deleted until it is held, and after that
 * only when somebody has ended the hold.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock.html
 */
export function addBuckets(stack: Stack, home: BucketHome): Buckets {
  const add = (declared: Bucket) => {
    const { name, isUploadedTo } = declared;
    const bucket = addPrivateBucket(stack, name, home, {
      ...lifeOf(declared, home.settings.evidenceRetention),
      ...(isUploadedTo && {
        corsConfiguration: {
          // The signed policy decides who may post, not the origin of the page.
          corsRules: [{ allowedOrigins: ['*'], allowedMethods: ['GET', 'POST'], allowedHeaders: ['*'], maxAge: 600 }],
        },
      }),
    });
    if (declared.expiresAfterDays !== undefined) acknowledge(bucket, 'goneIsGone');
    new CfnOutput(stack, `${name}BucketName`, { value: bucket.ref });
    return bucket;
  };
  return new Map(buckets.map((declared) => [declared.name, add(declared)]));
}
