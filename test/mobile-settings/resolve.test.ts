import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Definition, SettingRule } from '../../functions/mobile-settings/rules/definition.ts';
import { type Outcome, type Phone, placeOf, resolve } from '../../functions/mobile-settings/rules/resolve.ts';
import { definition, rule } from './definition.ts';

const now = '2026-11-22T12:00:00.000Z';
const phone: Phone = { platform: 'ios', appVersion: '2.1.0', locale: 'de-AT', deviceId: 'phone-1' };
const nothing: Phone = { platform: null, appVersion: null, locale: null, deviceId: null };

const resolved = (changes: Partial<Definition>, of: Phone = phone, at = now) =>
  resolve('setting', definition(changes), of, at);

describe('a rule', () => {
  test.each<[string, Partial<SettingRule>, Partial<Phone>, Outcome]>([
    ['for everybody', {}, {}, 'MATCHED'],
    ['for everybody, who state nothing', {}, nothing, 'MATCHED'],
    ['of the platform', { platform: 'ios' }, {}, 'MATCHED'],
    ['of another platform', { platform: 'android' }, {}, 'PLATFORM'],
    ['of a platform that is not stated', { platform: 'ios' }, { platform: null }, 'PLATFORM'],
    ['from the very version on', { fromVersion: '2.1' }, {}, 'MATCHED'],
    ['from a later version on', { fromVersion: '2.1.1' }, {}, 'VERSION'],
    ['from a release on, which a beta of it is not', { fromVersion: '2.1.0' }, { appVersion: '2.1.0-rc.1' }, 'VERSION'],
    ['1.10 is later than 1.9', { fromVersion: '1.9' }, { appVersion: '1.10' }, 'MATCHED'],
    ['before a later version', { beforeVersion: '2.1.1' }, {}, 'MATCHED'],
    ['before the very version', { beforeVersion: '2.1.0' }, {}, 'VERSION'],
    ['of a version that is not stated', { fromVersion: '0.0.1' }, { appVersion: null }, 'VERSION'],
    ['of the language', { locales: ['fr', 'DE'] }, {}, 'MATCHED'],
    ['of the region', { locales: ['de-AT'] }, {}, 'MATCHED'],
    ['of another region', { locales: ['de-CH'] }, {}, 'LOCALE'],
    ['of a language that begins alike', { locales: ['d'] }, { locale: 'de' }, 'LOCALE'],
    ['of a locale that is not stated', { locales: ['de'] }, { locale: null }, 'LOCALE'],
    ['from this very millisecond on', { startsAt: now }, {}, 'MATCHED'],
    ['from the next millisecond on', { startsAt: '2026-11-22T12:00:00.001Z' }, {}, 'NOT_STARTED'],
    ['until before this millisecond', { endsAt: now }, {}, 'ENDED'],
    ['until before the next', { endsAt: '2026-11-22T12:00:00.001Z' }, {}, 'MATCHED'],
    ['for nobody', { rolloutPercentage: 0 }, {}, 'ROLLOUT'],
    ['for nearly all, and a device without an id', { rolloutPercentage: 99.99 }, { deviceId: null }, 'ROLLOUT'],
    ['for all, and a device without an id', { rolloutPercentage: 100 }, { deviceId: null }, 'MATCHED'],
  ])('%s', (_case, changes, stated, outcome) => {
    const { value, because, steps } = resolved({ rules: [rule(changes)] }, { ...phone, ...stated });
    expect(steps).toEqual([{ ruleId: 'rule', outcome }]);
    expect([value, because]).toEqual(outcome === 'MATCHED' ? [true, 'RULE'] : [false, 'DEFAULT']);
  });
});

test('the first rule that matches wins, and later ones are not asked', () => {
  const schema = { type: 'integer' } as const;
  const rules = [
    rule({ ruleId: 'android', platform: 'android', value: 1 }),
    rule({ ruleId: 'german', locales: ['de'], value: 2 }),
    rule({ ruleId: 'all', value: 3 }),
  ];
  expect(resolved({ schema, defaultValue: 0, rules })).toEqual({
    value: 2,
    because: 'RULE',
    ruleId: 'german',
    steps: [
      { ruleId: 'android', outcome: 'PLATFORM' },
      { ruleId: 'german', outcome: 'MATCHED' },
    ],
  });
  expect(resolved({ schema, defaultValue: 0, rules: rules.toReversed() })).toMatchObject({ ruleId: 'all', value: 3 });
});

test('a kill switch that is pulled wins over every rule, for phones that state nothing as well', () => {
  const rules = [rule()];
  const pulled = { value: false, because: 'KILL_SWITCH', ruleId: null, steps: [] };
  expect(resolved({ rules, killSwitch: { isPulled: true, value: false } })).toEqual(pulled);
  expect(resolved({ rules, killSwitch: { isPulled: true, value: false } }, nothing)).toEqual(pulled);
  expect(resolved({ rules, killSwitch: { isPulled: false, value: false } })).toMatchObject({ value: true });
});

describe('a rollout', () => {
  const devices = Array.from({ length: 10_000 }, (_, index) => `device-${index}`);
  const reached = (percent: number, of = devices, settingId = 'setting') => {
    const rules = [rule({ rolloutPercentage: percent })];
    return of.filter(
      (deviceId) => resolve(settingId, definition({ rules }), { ...phone, deviceId }, now).because === 'RULE',
    );
  };

  test.each([1, 10, 33, 50, 90])('of %i %% reaches that share of 10,000 devices, to two points', (percent) => {
    expect(Math.abs(reached(percent).length / 100 - percent)).toBeLessThanOrEqual(2);
  });

  test('of two settings are drawn by themselves: a tenth and a tenth have a hundredth in common', () => {
    const other = new Set(reached(10, devices, 'other-setting'));
    const common = reached(10).filter((deviceId) => other.has(deviceId));
    expect(common.length).toBeGreaterThan(50);
    expect(common.length).toBeLessThan(150);
  });

  test('that grows only adds devices', () => {
    const some = devices.slice(0, 50);
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 100, noNaN: true }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        (a, b) => {
          const [less, more] = [Math.min(a, b), Math.max(a, b)];
          const after = new Set(reached(more, some));
          expect(reached(less, some).every((deviceId) => after.has(deviceId))).toBe(true);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('has one place for a device, whatever else it states and whatever the rules are', () => {
    const stated = fc.record({
      platform: fc.constantFrom('ios', 'android', null),
      appVersion: fc.constantFrom('1.0', '2.0.0-rc.1', null),
      locale: fc.constantFrom('de', 'en-GB', null),
    });
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), stated, stated, (deviceId, one, other) => {
        const place = placeOf('setting', { ...one, deviceId });
        expect(placeOf('setting', { ...other, deviceId })).toBe(place);
        expect(place).toBeGreaterThanOrEqual(0);
        expect(place).toBeLessThan(100);
      }),
    );
  });

  test('has these places, for ever: another hash would move every device', () => {
    expect(['phone-1', 'phone-2'].map((deviceId) => placeOf('setting', { deviceId })?.toFixed(4))).toEqual([
      '78.8343',
      '20.8345',
    ]);
  });
});

test('whatever a phone states, it gets a value of the definition', () => {
  const text = fc.option(fc.string({ unit: 'binary' }));
  const version = fc.option(fc.constantFrom('1', '1.2.3-beta.1+45', '999999999.0', '0.0.0.1'));
  fc.assert(
    fc.property(text, version, text, (locale, appVersion, deviceId) => {
      const schema = { type: 'string' } as const;
      const rules = [
        rule({ ruleId: 'a', fromVersion: '1.2', locales: ['de', 'x-y'], value: 'a' }),
        rule({ ruleId: 'b', rolloutPercentage: 50, value: 'b' }),
      ];
      const told = resolved({ schema, defaultValue: 'c', rules }, { platform: null, locale, appVersion, deviceId });
      expect(['a', 'b', 'c']).toContain(told.value);
    }),
  );
});
