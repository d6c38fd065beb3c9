import * as z from 'zod/mini';
import {
  AppVersion,
  combined,
  HttpsAddress,
  Instant,
  Locale,
  manyLines,
  oneLine,
  Timestamp,
  wellFormed,
} from '../../lib/contract/fields.ts';
import { issue } from '../../lib/contract/issues.ts';
import { platforms } from '../../lib/contract/phone.ts';
import { applications } from '../product.ts';

export const BuildNumber = z.string().check(z.trim(), z.minLength(1), z.maxLength(64), wellFormed, oneLine);

export const AppVersionText = z.object({
  title: z.string().check(z.minLength(1), z.maxLength(100), wellFormed, oneLine),
  message: z.string().check(z.minLength(1), z.maxLength(500), wellFormed, manyLines),
});

export const AppVersionTexts = z
  .record(Locale, AppVersionText)
  .check(z.refine((texts) => Object.keys(texts).length <= 30, issue('too_long', 'must be 30 languages at most')));

export const BlockedBuild = z.object({ version: AppVersion, buildNumber: z.nullable(BuildNumber) });

export const Maintenance = z.object({ from: Instant, until: z.nullable(Instant) });

export const AppVersionPolicyTexts = z.object({
  recommended: AppVersionTexts,
  blocked: AppVersionTexts,
  maintenance: AppVersionTexts,
});

/** Nothing in it can be left out: a misspelt field would be dropped, and the policy mean something else. */
const policy = {
  latestVersion: AppVersion,
  recommendedVersion: AppVersion,
  minimumVersion: AppVersion,
  blockedBuilds: z.array(BlockedBuild).check(z.maxLength(100)),
  mandatoryReleases: z.array(AppVersion).check(z.maxLength(100)),
  rolloutPercentage: z.number().check(z.gte(0), z.lte(100)),
  maintenance: z.nullable(Maintenance),
  storeUrl: HttpsAddress,
  defaultLocale: Locale,
  texts: AppVersionPolicyTexts,
};

export const AppVersionPolicyContent = z.object(policy);

/** As they are kept: what was taken before a rule was made is answered all the same. */
export const StoredBlockedBuild = z.object({ version: AppVersion, buildNumber: z.nullable(z.string()) });
export const StoredMaintenance = z.object({ from: Timestamp, until: z.nullable(Timestamp) });
export const StoredAppVersionText = z.object({ title: z.string(), message: z.string() });
export const StoredAppVersionTexts = z.record(Locale, StoredAppVersionText);
export const StoredAppVersionPolicyTexts = z.object({
  recommended: StoredAppVersionTexts,
  blocked: StoredAppVersionTexts,
  maintenance: StoredAppVersionTexts,
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
    {
      blockedBuilds: z.array(StoredBlockedBuild),
      maintenance: z.nullable(StoredMaintenance),
      texts: StoredAppVersionPolicyTexts,
    },
  ),
);
