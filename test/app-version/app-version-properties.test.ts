import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Policy, problemsOf } from '../../functions/app-version/rules/policy.ts';
import { type App, evaluate, isInRollout } from '../../functions/app-version/rules/verdict.ts';
import { compareAppVersions } from '../../functions/app-version/rules/version-order.ts';
import { policy } from './policy.ts';

const now = '2026-03-01T12:00:00.000Z';
const severity = { normal: 0, recommended: 1, blocked: 2 };

const numbers = fc.array(fc.nat(12), { minLength: 1, maxLength: 4 });
const word = fc.constantFrom('alpha', 'beta', 'x', 'rc-1', '1a', '0', '1', '10', '-');
const version = fc
  .tuple(numbers, fc.option(fc.array(word, { minLength: 1, maxLength: 3 })))
  .map(([core, words]) => core.join('.') + (words ? `-${words.join('.')}` : ''));
const sorted = (...versions: string[]) => versions.toSorted(compareAppVersions);

const goodPolicy = fc
  .record({
    three: fc.tuple(version, version, version),
    mandatory: fc.array(version, { maxLength: 3 }),
    blocked: fc.array(version, { maxLength: 3 }),
    rolloutPercentage: fc.constantFrom(0, 30, 70, 100),
    isClosed: fc.boolean(),
  })
  .map(({ three, mandatory, blocked, rolloutPercentage, isClosed }): Policy => {
    const [minimumVersion = '', recommendedVersion = '', latestVersion = ''] = sorted(...three);
    return policy({
      minimumVersion,
      recommendedVersion,
      latestVersion,
      mandatoryReleases: mandatory.filter((release) => compareAppVersions(release, latestVersion) <= 0),
      blockedBuilds: blocked
        .filter((each) => ![recommendedVersion, latestVersion].some((told) => compareAppVersions(each, told) === 0))
        .map((each) => ({ version: each, buildNumber: null })),
      rolloutPercentage,
      maintenance: isClosed ? { from: now, until: null } : null,
    });
  });
const deviceId = fc.option(fc.uuid());

const app = (appVersion: string | null, device: string | null): App => ({
  platform: 'ios',
  appVersion,
  buildNumber: null,
  deviceId: device,
});

describe('the order of versions', () => {
  test('is total: antisymmetric, transitive, and equal to itself', () => {
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        expect(Math.sign(compareAppVersions(a, b))).toBe(-Math.sign(compareAppVersions(b, a)) + 0);
        expect(compareAppVersions(a, a)).toBe(0);
        const [low = '', , high = ''] = sorted(a, b, c);
        expect(compareAppVersions(low, high)).toBeLessThanOrEqual(0);
      }),
    );
  });
});

describe('the evaluation', () => {
  test('the policies of these properties are ones that a PUT accepts', () => {
    fc.assert(fc.property(goodPolicy, (each) => problemsOf(each).length === 0));
  });

  test('a newer version never makes the outcome worse, but for blocked builds', () => {
    fc.assert(
      fc.property(goodPolicy, version, version, deviceId, (each, a, b, device) => {
        const [older = '', newer = ''] = sorted(a, b);
        const after = evaluate(each, app(newer, device), now);
        const before = evaluate(each, app(older, device), now);
        if (after.reason === 'BUILD_BLOCKED') return;
        expect(severity[after.outcome]).toBeLessThanOrEqual(severity[before.outcome]);
      }),
      { numRuns: 500 },
    );
  });

  test('the latest version is never asked to update, except for blocked builds', () => {
    fc.assert(
      fc.property(goodPolicy, deviceId, (each, device) => {
        const verdict = evaluate({ ...each, blockedBuilds: [] }, app(each.latestVersion, device), now);
        expect(verdict.updateRequired).toBe(false);
      }),
    );
  });

  test('what an app does not state never blocks it, but for maintenance', () => {
    fc.assert(
      fc.property(goodPolicy, deviceId, (each, device) => {
        const verdict = evaluate({ ...each, maintenance: null }, app(null, device), now);
        expect(verdict).toMatchObject({ outcome: 'normal', reason: 'VERSION_NOT_STATED' });
      }),
    );
  });

  test('only maintenance blocks without an update, and it blocks every version', () => {
    fc.assert(
      fc.property(goodPolicy, version, deviceId, (each, appVersion, device) => {
        const { forceBlocked, updateRequired } = evaluate(each, app(appVersion, device), now);
        expect(forceBlocked && !updateRequired).toBe(each.maintenance !== null);
      }),
    );
  });

  test('a rollout that grows loses no device', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.nat(100), fc.nat(100), version, (device, a, b, recommendedVersion) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)];
        const reached = (rolloutPercentage: number) =>
          isInRollout(policy({ recommendedVersion, rolloutPercentage }), device);
        if (reached(less)) expect(reached(more)).toBe(true);
      }),
    );
  });
});
