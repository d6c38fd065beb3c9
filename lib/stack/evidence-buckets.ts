import type { CfnBucket, CfnBucketProps } from 'aws-cdk-lib/aws-s3';
import { CfnOutput, type Stack } from 'aws-cdk-lib/core';
import type { Bucket } from '../contract/buckets.ts';
import type { Settings } from '../contract/settings.ts';
import { acknowledge } from './acknowledgements.ts';
import { addMalwareScan, heardByEventBridge } from './malware-scan.ts';
import type { Statement } from './policy.ts';
import { addPrivateBucket, type BucketHome } from './private-bucket.ts';
import { productOf } from './product-app.ts';

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
 * Evidence counts by its date and can be read for as long as it is kept, whoever puts it. Without these statements each
 * function that may put an object could choose otherwise, in headers of its request.
 */
export function datedAndReadable({ attrArn }: CfnBucket): Statement[] {
  const denied = { Effect: 'Deny', Principal: '*', Action: 's3:PutObject', Resource: `${attrArn}/*` } as const;
  return [
    {
      // S3 gives an object in parts the date at which its upload began, and the upload may end years later. Only the
      // beginning and the parts of such an upload are requests that create no object.
      // https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingMetadata.html#SysMetadata
      // https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes-enforce.html
      Sid: 'NoUploadInParts',
      ...denied,
      // `IfExists` also denies requests without this key. The requests that create an object always have it.
      Condition: { BoolIfExists: { 's3:ObjectCreationOperation': 'false' } },
    },
    {
      // S3 does not read an object of an archive's class without a restoration, which would end each check.
      Sid: 'OnlyTheStandardClass',
      ...denied,
      // `Null`, since a condition with "Not" also holds for a key that the request does not have.
      Condition: {
        Null: { 's3:x-amz-storage-class': 'false' },
        StringNotEquals: { 's3:x-amz-storage-class': 'STANDARD' },
      },
    },
    {
      // Nobody else could read an object under a key that only the sender has.
      Sid: 'NoKeyOfTheSender',
      ...denied,
      Condition: { Null: { 's3:x-amz-server-side-encryption-customer-algorithm': 'false' } },
    },
  ];
}

/**
 * The buckets that functions reach, as the domains declare them. Object Lock is enabled when a bucket is made, and needs
 * versions. A bucket with legal holds has no default retention: an object can be deleted until it is held, and after that
 * only when somebody has ended the hold.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock.html
 *
 * @param alarmsArn the topic of alarms
 */
export function addBuckets(stack: Stack, home: BucketHome, alarmsArn: string): Buckets {
  const add = (declared: Bucket) => {
    const { name, lock, isUploadedTo } = declared;
    // Only these have files that people made. What is in the others our functions wrote.
    const isScanned = home.settings.malwareScan && lock === 'legal-hold';
    const statementsOf = (bucket: CfnBucket) => [
      ...(lock === 'retention' ? datedAndReadable(bucket) : []),
      ...(isScanned ? addMalwareScan(stack, name, bucket, { keyArn: home.keyArn, alarmsArn }) : []),
    ];
    const more = {
      ...lifeOf(declared, home.settings.evidenceRetention),
      ...(isScanned && heardByEventBridge),
      ...(isUploadedTo && {
        corsConfiguration: {
          // The signed policy decides who may post, not the origin of the page.
          corsRules: [{ allowedOrigins: ['*'], allowedMethods: ['GET', 'POST'], allowedHeaders: ['*'], maxAge: 600 }],
        },
      }),
    };
    const bucket = addPrivateBucket(stack, name, home, more, statementsOf);
    if (declared.expiresAfterDays !== undefined) acknowledge(bucket, 'goneIsGone');
    new CfnOutput(stack, `${name}BucketName`, { value: bucket.ref });
    return bucket;
  };
  return new Map(productOf(stack).declarations.buckets.map((declared) => [declared.name, add(declared)]));
}
