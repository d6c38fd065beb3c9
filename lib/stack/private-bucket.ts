import { CfnBucket, CfnBucketPolicy, type CfnBucketProps } from 'aws-cdk-lib/aws-s3';
import type { Stack } from 'aws-cdk-lib/core';
import type { Settings } from '../contract/settings.ts';
import { acknowledge } from './acknowledgements.ts';
import { policy, type Statement } from './policy.ts';
import { removal } from './removal.ts';

/** What the environment's buckets have in common. */
export type BucketHome = {
  readonly keyArn: string;
  readonly settings: Settings;
  /** The bucket for S3's access log. Null: this bucket is the log bucket itself. */
  readonly accessLogs: CfnBucket | null;
};

/** A private bucket, under the environment's key, reachable only over encrypted connections. */
export function addPrivateBucket(
  stack: Stack,
  id: string,
  { keyArn, settings: { keepsData }, accessLogs }: BucketHome,
  more: CfnBucketProps,
  statementsOf: (bucket: CfnBucket) => Statement[] = () => [],
): CfnBucket {
  const bucket = new CfnBucket(stack, id, {
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
    versioningConfiguration: { status: 'Enabled' },
    ...(accessLogs && { loggingConfiguration: { destinationBucketName: accessLogs.ref, logFilePrefix: `${id}/` } }),
    ownershipControls: { rules: [{ objectOwnership: 'BucketOwnerEnforced' }] },
    ...more,
  });
  bucket.applyRemovalPolicy(removal(keepsData));
  acknowledge(bucket, 'oneRegion');
  const everything = [bucket.attrArn, `${bucket.attrArn}/*`];
  const denied = { Effect: 'Deny', Principal: '*', Action: 's3:*', Resource: everything } as const;
  new CfnBucketPolicy(stack, `${id}Policy`, {
    bucket: bucket.ref,
    policyDocument: policy(
      { Sid: 'OnlyEncryptedConnections', ...denied, Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      { Sid: 'OnlyTls12', ...denied, Condition: { NumericLessThan: { 's3:TlsVersion': '1.2' } } },
      ...statementsOf(bucket),
    ),
  });
  return bucket;
}
