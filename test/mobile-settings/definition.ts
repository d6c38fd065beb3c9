import type { Definition, SettingRule } from '../../functions/mobile-settings/rules/definition.ts';

/** A setting without rules; the tests change what they are about. */
export function definition(changes: Partial<Definition> = {}): Definition {
  return {
    description: 'Whether there is something.',
    schema: { type: 'boolean' },
    defaultValue: false,
    killSwitch: null,
    rules: [],
    ...changes,
  };
}

/** A rule for everybody. */
export function rule(changes: Partial<SettingRule> = {}): SettingRule {
  return {
    ruleId: 'rule',
    platform: null,
    fromVersion: null,
    beforeVersion: null,
    locales: [],
    rolloutPercentage: 100,
    startsAt: null,
    endsAt: null,
    value: true,
    ...changes,
  };
}
