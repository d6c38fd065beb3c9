import * as z from 'zod/mini';
import { AppVersion, combined, Instant, Locale, manyLines, Timestamp, wellFormed } from '../../lib/contract/fields.ts';
import { issue } from '../../lib/contract/issues.ts';
import { DeviceId, platforms } from '../../lib/contract/phone.ts';

/** Any JSON, which has to be there; rules/json-value.ts says of what size. */
const Json = z.unknown().check(z.refine((value) => value !== undefined, issue('required', 'is required')));

export const MobileSettingKillSwitch = z.object({ isPulled: z.boolean(), value: Json });

const rule = {
  ruleId: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be 1 to 64 of a-z 0-9 -')),
  platform: z.nullable(z.enum(platforms)),
  /** From this version on. */
  fromVersion: z.nullable(AppVersion),
  /** Up to this version, which is left out. */
  beforeVersion: z.nullable(AppVersion),
  /** Each with its regions; none: all. */
  locales: z.array(Locale).check(z.maxLength(30)),
  rolloutPercentage: z.number().check(z.gte(0), z.lte(100)),
  startsAt: z.nullable(Instant),
  endsAt: z.nullable(Instant),
  value: Json,
};

export const MobileSettingRule = z.object(rule);

/** As it is kept. */
export const StoredMobileSettingRule = z.object(
  combined(rule, { startsAt: z.nullable(Timestamp), endsAt: z.nullable(Timestamp) }),
);

/** Nothing in it can be left out: a misspelt field would be dropped, and the setting mean something else. */
const definition = {
  description: z.string().check(z.maxLength(500), wellFormed, manyLines),
  /** Of the value: a JSON Schema of the keywords that rules/value-schema.ts knows. */
  schema: z.record(z.string(), z.unknown()),
  defaultValue: Json,
  killSwitch: z.nullable(MobileSettingKillSwitch),
  rules: z.array(MobileSettingRule).check(z.maxLength(20)),
};

export const MobileSettingContent = z.object(definition);

export const MobileSettingDefinition = z.object(
  combined({ settingId: z.string(), revision: z.int(), updatedAt: Timestamp, updatedBy: z.string() }, definition, {
    rules: z.array(StoredMobileSettingRule),
  }),
);

/** A phone as an administrator describes it; null is what it does not state. */
export const SimulatedPhone = z.object({
  platform: z.nullable(z.enum(platforms)),
  appVersion: z.nullable(AppVersion),
  locale: z.nullable(Locale),
  deviceId: z.nullable(DeviceId),
});

export const MobileSettingStep = z.object({
  ruleId: z.string(),
  outcome: z.enum(['MATCHED', 'PLATFORM', 'VERSION', 'LOCALE', 'NOT_STARTED', 'ENDED', 'ROLLOUT']),
});

/** Of the phone in the same place of the request. */
export const MobileSettingResult = z.object({
  value: z.unknown(),
  because: z.enum(['KILL_SWITCH', 'RULE', 'DEFAULT']),
  /** The rule that won. */
  ruleId: z.nullable(z.string()),
  /** Where the device stands in rollouts of this setting, from 0 up to 100; null without an id. */
  rolloutPlace: z.nullable(z.number()),
  /** What became of each rule that was asked, in order. */
  steps: z.array(MobileSettingStep),
});
