import { describe, expect, test } from 'vitest';
import type { Policy } from '../../functions/app-version/rules/policy.ts';
import { type App, evaluate, isInRollout, type Reason } from '../../functions/app-version/rules/verdict.ts';
import { policy } from './policy.ts';

/**
 * The answer to an app at its start. Unless a row says otherwise, 3.1.0 is in the store, 3.0.0 is recommended to everyone,
 * 2.0.0 is the oldest that works, and it is noon of 1 March.
 */

const noon = '2026-03-01T12:00:00.000Z';
const device = 'device-1';

type Row = [name: string, version: string | null, expected: Reason, policy?: Partial<Policy>, more?: Partial<App>];

const flags: Record<Reason, [updateRequired: boolean, forceBlocked: boolean, outcome: string]> = {
  UP_TO_DATE: [false, false, 'normal'],
  VERSION_NOT_STATED: [false, false, 'normal'],
  POLICY_UNAVAILABLE: [false, false, 'normal'],
  BELOW_RECOMMENDED: [true, false, 'recommended'],
  BELOW_MINIMUM: [true, true, 'blocked'],
  BUILD_BLOCKED: [true, true, 'blocked'],
  MANDATORY_SKIPPED: [true, true, 'blocked'],
  MAINTENANCE: [false, true, 'blocked'],
};

function check([, appVersion, expected, changes = {}, more = {}]: Row): void {
  const app: App = { platform: 'ios', appVersion, buildNumber: null, deviceId: device, ...more };
  const { reason, updateRequired, forceBlocked, outcome } = evaluate(policy(changes), app, noon);
  expect([reason, updateRequired, forceBlocked, outcome]).toEqual([expected, ...flags[expected]]);
}

describe('the version', () => {
  test.each<Row>([
    ['the latest version goes on', '3.1.0', 'UP_TO_DATE'],
    ['a version newer than the store has goes on', '4.0.0', 'UP_TO_DATE'],
    ['the recommended version goes on', '3.0.0', 'UP_TO_DATE'],
    ['a version between recommended and latest goes on', '3.0.5', 'UP_TO_DATE'],
    ['a version below the recommended one is asked to update', '2.9.9', 'BELOW_RECOMMENDED'],
    ['the minimum version is asked to update, and may continue', '2.0.0', 'BELOW_RECOMMENDED'],
    ['a version below the minimum is blocked', '1.9.9', 'BELOW_MINIMUM'],
    ['the very first version is blocked', '0.0.1', 'BELOW_MINIMUM'],
    ['where all three are one version, it goes on', '3.1.0', 'UP_TO_DATE', equal('3.1.0')],
    ['where all three are one version, an older one is blocked', '3.0.9', 'BELOW_MINIMUM', equal('3.1.0')],
  ])('%s', (...row) => check(row));
});

describe('how a version is written', () => {
  test.each<Row>([
    ['a missing number is a zero', '3', 'UP_TO_DATE'],
    ['two numbers are enough', '3.0', 'UP_TO_DATE'],
    ['a fourth number counts', '3.0.0.1', 'BELOW_RECOMMENDED', { recommendedVersion: '3.0.0.2' }],
    ['numbers are no decimals: 2.10 is newer than 2.9', '2.10', 'UP_TO_DATE', { recommendedVersion: '2.9.0' }],
    ['and 2.9 is older than 2.10', '2.9', 'BELOW_RECOMMENDED', { recommendedVersion: '2.10' }],
    ['a leading zero does not count', '3.00.00', 'UP_TO_DATE'],
    ['a build after the plus does not count', '3.0.0+1', 'UP_TO_DATE'],
    ['a beta is older than its release', '3.0.0-beta.1', 'BELOW_RECOMMENDED'],
    ['a beta of the minimum is blocked', '2.0.0-rc.1', 'BELOW_MINIMUM'],
    ['a beta of what comes next goes on', '3.2.0-beta.1', 'UP_TO_DATE'],
    ['betas count up', '3.0.0-beta.9', 'BELOW_RECOMMENDED', { recommendedVersion: '3.0.0-beta.10' }],
    ['a beta of a short version', '3.1-beta', 'UP_TO_DATE', { recommendedVersion: '3.1.0-alpha' }],
  ])('%s', (...row) => check(row));
});

describe('blocked builds', () => {
  const one = { blockedBuilds: [{ version: '3.0.1', buildNumber: '301' }] };
  const all = { blockedBuilds: [{ version: '3.0.1', buildNumber: null }] };
  test.each<Row>([
    ['a blocked build is blocked, however new it is', '3.0.1', 'BUILD_BLOCKED', one, { buildNumber: '301' }],
    ['another build of the version goes on', '3.0.1', 'UP_TO_DATE', one, { buildNumber: '302' }],
    ['the same number of another version goes on', '3.0.2', 'UP_TO_DATE', one, { buildNumber: '301' }],
    ['an app that does not state its build goes on', '3.0.1', 'UP_TO_DATE', one],
    ['a whole version can be blocked', '3.0.1', 'BUILD_BLOCKED', all],
    ['then with whichever build', '3.0.1', 'BUILD_BLOCKED', all, { buildNumber: '999' }],
    ['and however it is written', '3.0.1.0', 'BUILD_BLOCKED', all],
    ['the version before it is not', '3.0.0', 'UP_TO_DATE', all],
    ['its beta is not', '3.0.1-beta.1', 'UP_TO_DATE', all],
    ['of two reasons the build is named', '1.0.0', 'BUILD_BLOCKED', { blockedBuilds: [build('1.0.0')] }],
  ])('%s', (...row) => check(row));
});

describe('mandatory releases', () => {
  const middle = { mandatoryReleases: ['2.5.0'] };
  const recommended = { mandatoryReleases: ['3.0.0'] };
  const future = { mandatoryReleases: ['3.1.0'] };
  test.each<Row>([
    ['an app that would skip one is blocked', '2.4.9', 'MANDATORY_SKIPPED', middle],
    ['an app that has it is asked to update, and may continue', '2.5.0', 'BELOW_RECOMMENDED', middle],
    ['an app past it too', '2.6.0', 'BELOW_RECOMMENDED', middle],
    ['its beta is not it', '2.5.0-rc.1', 'MANDATORY_SKIPPED', middle],
    ['a mandatory release on offer blocks all before it', '2.9.9', 'MANDATORY_SKIPPED', recommended],
    ['one that is not yet recommended waits', '2.9.9', 'BELOW_RECOMMENDED', future],
    ['and does not disturb an app with the recommended one', '3.0.0', 'UP_TO_DATE', future],
    ['one of several is enough', '2.6.0', 'MANDATORY_SKIPPED', { mandatoryReleases: ['2.5.0', '2.7.0'] }],
    ['below the minimum, that is the reason', '1.0.0', 'BELOW_MINIMUM', middle],
    ['one below the minimum changes nothing', '2.0.0', 'BELOW_RECOMMENDED', { mandatoryReleases: ['1.5.0'] }],
    [
      'an app that is not in the rollout has skipped nothing',
      '2.4.0',
      'UP_TO_DATE',
      { ...middle, rolloutPercentage: 0 },
    ],
  ])('%s', (...row) => check(row));
});

describe('staged rollout', () => {
  // The place of device-1 in the rollout of 3.0.0 is between 87 and 88 of 100.
  test.each<Row>([
    ['at 0 % nobody is asked', '2.9.0', 'UP_TO_DATE', { rolloutPercentage: 0 }],
    ['a device whose turn has not come goes on', '2.9.0', 'UP_TO_DATE', { rolloutPercentage: 87 }],
    ['a device whose turn has come is asked', '2.9.0', 'BELOW_RECOMMENDED', { rolloutPercentage: 88 }],
    ['at 100 % everybody is asked', '2.9.0', 'BELOW_RECOMMENDED'],
    ['a device without an id waits', '2.9.0', 'UP_TO_DATE', { rolloutPercentage: 99.9 }, { deviceId: null }],
    ['until the rollout is complete', '2.9.0', 'BELOW_RECOMMENDED', {}, { deviceId: null }],
    ['the minimum blocks, rollout or not', '1.0.0', 'BELOW_MINIMUM', { rolloutPercentage: 0 }],
  ])('%s', (...row) => check(row));

  test('each release has an order of its own', () => {
    const devices = Array.from({ length: 200 }, (_, index) => `device-${index}`);
    const half = (recommendedVersion: string) =>
      devices.filter((id) => isInRollout(policy({ recommendedVersion, rolloutPercentage: 50 }), id));
    const both = half('3.0.0').filter((id) => half('3.1.0').includes(id));
    expect(half('3.0.0').length).toBeGreaterThan(70);
    expect(half('3.0.0').length).toBeLessThan(130);
    expect(both.length).toBeGreaterThan(25);
    expect(both.length).toBeLessThan(75);
    expect(half('3.0')).toEqual(half('3.0.0'));
  });
});

describe('maintenance', () => {
  const open = { maintenance: { from: '2026-03-01T11:00:00.000Z', until: null } };
  const until = (time: string) => ({ maintenance: { from: '2026-03-01T11:00:00.000Z', until: time } });
  test.each<Row>([
    ['the newest app is blocked too', '3.1.0', 'MAINTENANCE', open],
    ['an old app is not sent to the store for it', '1.0.0', 'MAINTENANCE', open],
    ['an app that states no version is blocked too: no version works', null, 'MAINTENANCE', open],
    ['it has begun in its first millisecond', '3.1.0', 'MAINTENANCE', { maintenance: { from: noon, until: null } }],
    ['it has not begun a millisecond before', '3.1.0', 'UP_TO_DATE', { maintenance: from('12:00:00.001') }],
    ['it is over at its end', '3.1.0', 'UP_TO_DATE', until(noon)],
    ['it is not over a millisecond before', '3.1.0', 'MAINTENANCE', until('2026-03-01T12:00:00.001Z')],
  ])('%s', (...row) => check(row));
});

describe('what is not known speaks for the app', () => {
  test.each<Row>([
    ['no version', null, 'VERSION_NOT_STATED'],
    ['no platform', '1.0.0', 'VERSION_NOT_STATED', {}, { platform: null }],
    ['neither', null, 'VERSION_NOT_STATED', {}, { platform: null }],
    ['no version of a platform where a whole version is blocked', null, 'VERSION_NOT_STATED', blockedOne()],
  ])('%s', (...row) => check(row));

  test.each([
    ['a version', '1.0.0'],
    ['no version', null],
  ])('no policy: %s', (_name, appVersion) => {
    const app = { platform: 'android' as const, appVersion, buildNumber: null, deviceId: null };
    expect(evaluate(null, app, noon)).toMatchObject({ reason: 'POLICY_UNAVAILABLE', outcome: 'normal' });
  });
});

function equal(version: string): Partial<Policy> {
  return { latestVersion: version, recommendedVersion: version, minimumVersion: version };
}

function build(version: string, buildNumber: string | null = null) {
  return { version, buildNumber };
}

function blockedOne(): Partial<Policy> {
  return { blockedBuilds: [build('3.0.1')] };
}

function from(time: string) {
  return { from: `2026-03-01T${time}Z`, until: null };
}
