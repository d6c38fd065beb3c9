import { expect, test } from 'vitest';
import { get, ref } from './small-parts.ts';
import { modelAfter, type SmallStage } from './small-stage.ts';

const bucketsOf = (Properties: Record<string, unknown>, change: (stage: SmallStage) => void = () => undefined) => {
  const { buckets } = modelAfter((stage) => {
    Object.assign(stage.State.Resources ?? {}, { Evidence: { Type: 'AWS::S3::Bucket', Properties } });
    change(stage);
  });
  return buckets;
};

test('a bucket is read with its lock, its rules for other origins and its policy', () => {
  const AllowedOrigins = ['https://example.org'];
  const statement = { Effect: 'Deny', Principal: '*', Action: 's3:*', Resource: get('Evidence', 'Arn') };
  const [bucket] = bucketsOf(
    {
      BucketEncryption: { 'Fn::Nothing': 'that this machine knows' },
      ObjectLockEnabled: true,
      ObjectLockConfiguration: {
        ObjectLockEnabled: 'Enabled',
        Rule: { DefaultRetention: { Mode: 'COMPLIANCE', Years: '10' } },
      },
      CorsConfiguration: { CorsRules: [{ AllowedOrigins, AllowedMethods: ['POST'], MaxAge: 60 }] },
    },
    ({ State }) => {
      const Properties = { Bucket: ref('Evidence'), PolicyDocument: { Statement: [statement] } };
      Object.assign(State.Resources ?? {}, { EvidencePolicy: { Type: 'AWS::S3::BucketPolicy', Properties } });
    },
  );
  expect(bucket).toEqual({
    logicalId: 'Evidence',
    name: expect.stringMatching(/^[a-z0-9-]{3,63}$/),
    arn: `arn:aws:s3:::${bucket?.name}`,
    isVersioned: true,
    lock: { retention: { mode: 'COMPLIANCE', days: 3650 } },
    cors: [{ origins: AllowedOrigins, methods: ['POST'], headers: [], exposed: [], maxAgeSeconds: 60 }],
    policy: [{ ...statement, Resource: bucket?.arn }],
  });
});

test.each([
  [{}, false],
  [{ VersioningConfiguration: { Status: 'Suspended' } }, false],
  [{ VersioningConfiguration: { Status: 'Enabled' } }, true],
])('%j has no lock', (properties, isVersioned) => {
  expect(bucketsOf(properties)).toMatchObject([{ isVersioned, lock: null, cors: [], policy: [] }]);
});
