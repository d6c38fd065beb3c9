import { compareAppVersions, rolloutPlace } from '../../app-version/rules.ts';
import type { Definition, SettingRule } from './definition.ts';
import type { Json } from './json-value.ts';

/** The value of a setting for a phone: pure, from its definition, what the phone states, and the time. */

/** Null is all that a phone leaves out or that cannot be read: no rule that asks for it matches. */
export type Phone = {
  readonly platform: 'ios' | 'android' | null;
  readonly appVersion: string | null;
  readonly locale: string | null;
  readonly deviceId: string | null;
};

export type Outcome = 'MATCHED' | 'PLATFORM' | 'VERSION' | 'LOCALE' | 'NOT_STARTED' | 'ENDED' | 'ROLLOUT';

export type Resolved = {
  readonly value: Json;
  readonly because: 'KILL_SWITCH' | 'RULE' | 'DEFAULT';
  readonly ruleId: string | null;
  readonly steps: readonly { readonly ruleId: string; readonly outcome: Outcome }[];
};

/** @param now ISO 8601 in UTC with milliseconds, which compares as text */
export function resolve(settingId: string, definition: Definition, phone: Phone, now: string): Resolved {
  const { defaultValue, killSwitch, rules } = definition;
  if (killSwitch?.isPulled) return { value: killSwitch.value, because: 'KILL_SWITCH', ruleId: null, steps: [] };
  const place = placeOf(settingId, phone);
  const steps: Resolved['steps'][number][] = [];
  for (const rule of rules) {
    const { ruleId, value } = rule;
    const outcome = outcomeOf(rule, phone, place, now);
    steps.push({ ruleId, outcome });
    if (outcome === 'MATCHED') return { value, because: 'RULE', ruleId, steps };
  }
  return { value: defaultValue, because: 'DEFAULT', ruleId: null, steps };
}

/**
 * A device's place in the rollouts of a setting, from 0 to 100: it never changes, whatever becomes of other settings or of this
 * one's rules, so that a growing rollout loses no device. Null without an id.
 */
export function placeOf(settingId: string, { deviceId }: Pick<Phone, 'deviceId'>): number | null {
  return deviceId === null ? null : rolloutPlace(deviceId, `setting/${settingId}`);
}

function outcomeOf(rule: SettingRule, phone: Phone, place: number | null, now: string): Outcome {
  const { platform, startsAt, endsAt, rolloutPercentage } = rule;
  if (platform !== null && platform !== phone.platform) return 'PLATFORM';
  if (!isInRange(rule, phone.appVersion)) return 'VERSION';
  if (!isOfLocale(rule.locales, phone.locale)) return 'LOCALE';
  if (startsAt !== null && now < startsAt) return 'NOT_STARTED';
  if (endsAt !== null && now >= endsAt) return 'ENDED';
  // A device without an id has the last place.
  const isInRollout = place === null ? rolloutPercentage >= 100 : place < rolloutPercentage;
  return isInRollout ? 'MATCHED' : 'ROLLOUT';
}

function isInRange({ fromVersion, beforeVersion }: SettingRule, version: string | null): boolean {
  if (fromVersion === null && beforeVersion === null) return true;
  if (version === null) return false;
  if (fromVersion !== null && compareAppVersions(version, fromVersion) < 0) return false;
  return beforeVersion === null || compareAppVersions(version, beforeVersion) < 0;
}

/** RFC 4647 section 3.3.1: `de` is for `de-AT`, too. */
function isOfLocale(ranges: readonly string[], locale: string | null): boolean {
  if (ranges.length === 0) return true;
  if (locale === null) return false;
  const tag = locale.toLowerCase();
  return ranges.some((range) => tag === range.toLowerCase() || tag.startsWith(`${range.toLowerCase()}-`));
}
