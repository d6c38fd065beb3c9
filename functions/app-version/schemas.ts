import * as z from 'zod/mini';
import { applications } from '../../lib/contract/deployments.ts';
import { AppVersion, combined, HttpsAddress, Locale, Timestamp } from '../../lib/contract/fields.ts';

export const platforms = ['ios', 'android'] as const;

export const BuildNumber = z.string().check(z.trim(), z.minLength(1), z.maxLength(64));

const Texts = z
  .record(
    Locale,
    z.object({
      title: z.string().check(z.minLength(1), z.maxLength(100)),
      message: z.string().check(z.minLength(1), z.maxLength(500)),
    }),
  )
  .check(z.refine((texts) => Object.keys(texts).length <= 30, 'must be 30 languages at most'));

/** Nothing in it can be left out: a misspelt field would be dropped, and the policy mean something else. */
const policy = {
  latestVersion: AppVersion,
  recommendedVersion: AppVersion,
  minimumVersion: AppVersion,
  blockedBuilds: z
    .array(z.object({ version: AppVersion, buildNumber: z.nullable(BuildNumber) }))
    .check(z.maxLength(100)),
  mandatoryReleases: z.array(AppVersion).check(z.maxLength(100)),
  rolloutPercentage: z.number().check(z.gte(0), z.lte(100)),
  maintenance: z.nullable(z.object({ from: Timestamp, until: z.nullable(Timestamp) })),
  storeUrl: HttpsAddress,
  defaultLocale: Locale,
  texts: z.object({ recommended: Texts, blocked: Texts, maintenance: Texts }),
};

export const AppVersionPolicyContent = z.object(policy).register(z.globalRegistry, {
  id: 'AppVersionPolicyContent',
  description:
    '`minimumVersion` ≤ `recommendedVersion` ≤ `latestVersion`, no mandatory release is newer, and each kind of text ' +
    'has one in the `defaultLocale`.',
});

/** A policy as it is stored and read. */
export const AppVersionPolicy = z.object(
  combined(
    {
      application: z.enum(applications),
      platform: z.enum(platforms),
      revision: z.int(),
      updatedAt: Timestamp,
      updatedBy: z.string(),
    },
    policy,
  ),
);
