import * as z from 'zod/mini';
import type { BucketModel, CorsRuleModel } from '../model.ts';
import type { Deployment } from './deployment.ts';
import { attributeOf, physicalName } from './physical.ts';
import { Document, statementsOf } from './principals.ts';
import { Numeric, ofType, read } from './resources.ts';

/**
 * The properties that this machine's S3 uses. Only AWS uses encryption, life cycles, replication and public access
 * blocks.
 */

const Texts = z._default(z.array(z.string()), []);

const CorsRule = z.object({
  AllowedOrigins: z.array(z.string()),
  AllowedMethods: z.array(z.string()),
  AllowedHeaders: Texts,
  ExposedHeaders: Texts,
  MaxAge: z.optional(Numeric),
});

const Retention = z.object({
  Mode: z.enum(['GOVERNANCE', 'COMPLIANCE']),
  Days: z.optional(Numeric),
  Years: z.optional(Numeric),
});

const Properties = z.object({
  VersioningConfiguration: z.optional(z.object({ Status: z.string() })),
  ObjectLockEnabled: z.optional(z.union([z.boolean(), z.stringbool()])),
  ObjectLockConfiguration: z.optional(
    z.object({ Rule: z.optional(z.object({ DefaultRetention: z.optional(Retention) })) }),
  ),
  CorsConfiguration: z.optional(z.object({ CorsRules: z.array(CorsRule) })),
});

const BucketPolicy = z.object({ Bucket: z.string(), PolicyDocument: Document });

export function bucketsOf(deployment: Deployment): BucketModel[] {
  const policies = ofType(deployment, 'AWS::S3::BucketPolicy').map((resource) => read(resource, BucketPolicy));
  return ofType(deployment, 'AWS::S3::Bucket').map((resource) => {
    const name = physicalName(resource);
    const properties = read(resource, Properties);
    const { VersioningConfiguration: versioning, ObjectLockEnabled: hasLock = false } = properties;
    const retention = properties.ObjectLockConfiguration?.Rule?.DefaultRetention;
    const own = policies.filter(({ Bucket }) => Bucket === name);
    return {
      logicalId: resource.logicalId,
      name,
      arn: String(attributeOf(resource, 'Arn')),
      // Object lock needs versioning, which S3 then enables by itself.
      isVersioned: hasLock || versioning?.Status === 'Enabled',
      lock: hasLock ? { retention: retention ? { mode: retention.Mode, days: daysOf(retention) } : null } : null,
      cors: (properties.CorsConfiguration?.CorsRules ?? []).map(corsRule),
      policy: statementsOf(own.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)),
    };
  });
}

/** S3 does not document whether a leap year of object lock is longer. */
function daysOf({ Days, Years }: z.infer<typeof Retention>): number {
  return Days ?? (Years ?? 0) * 365;
}

function corsRule(rule: z.infer<typeof CorsRule>): CorsRuleModel {
  return {
    origins: rule.AllowedOrigins,
    methods: rule.AllowedMethods,
    headers: rule.AllowedHeaders,
    exposed: rule.ExposedHeaders,
    maxAgeSeconds: rule.MaxAge ?? null,
  };
}
