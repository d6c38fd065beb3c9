import { describe, expect, test } from 'vitest';
import {
  activeVersion,
  isReconsentRequired,
  statusOf,
  type Version,
} from '../../functions/agreements/rules/catalogue.ts';

const at = (day: number) => `2026-03-${String(day).padStart(2, '0')}T00:00:00.000Z`;

function version(versionId: string, more: Partial<Version> = {}): Version {
  return {
    versionId,
    agreementId: 'a',
    label: versionId,
    changeType: 'major',
    defaultLocale: 'en',
    locales: {},
    publishedAt: at(1),
    effectiveFrom: at(1),
    withdrawnAt: null,
    ...more,
  };
}

describe('the active version', () => {
  const first = version('v1');
  const second = version('v2', { publishedAt: at(5), effectiveFrom: at(10) });
  const twin = version('v3', { publishedAt: at(6), effectiveFrom: at(10) });
  const gone = version('v4', { publishedAt: at(11), effectiveFrom: at(12), withdrawnAt: at(14) });
  const draft = version('v5', { publishedAt: null, effectiveFrom: null });
  const all = [draft, gone, twin, second, first];

  test.each([
    ['none before the first takes effect', at(0).replace('-00T', '-01T').replace('2026-03', '2026-02'), null],
    ['the first from its very millisecond', at(1), 'v1'],
    ['the old one until the new one takes effect', '2026-03-09T23:59:59.999Z', 'v1'],
    ['of two that take effect together, the one published later', at(10), 'v3'],
    ['a version until it is withdrawn', at(13), 'v4'],
    ['its predecessor again afterwards', at(14), 'v3'],
  ])('%s', (_name, now, expected) => {
    expect(activeVersion(all, now)?.versionId ?? null).toBe(expected);
  });

  test.each([
    ['v5', at(20), 'draft'],
    ['v2', at(9), 'scheduled'],
    ['v3', at(11), 'active'],
    ['v2', at(11), 'superseded'],
    ['v1', at(11), 'superseded'],
    ['v4', at(15), 'withdrawn'],
  ])('the status of %s at %s is %s', (versionId, now, status) => {
    const found = all.find((each) => each.versionId === versionId) as Version;
    expect(statusOf(found, all, now)).toBe(status);
  });
});

describe('a new consent is needed', () => {
  const major1 = version('1.0');
  const minor = version('1.1', { changeType: 'minor', effectiveFrom: at(5) });
  const major2 = version('2.0', { effectiveFrom: at(10) });
  const minor2 = version('2.1', { changeType: 'minor', effectiveFrom: at(15) });
  const all = [minor2, major1, major2, minor];

  test.each([
    ['not for the active version itself', '1.0', at(1), false],
    ['not after a minor change', '1.0', at(5), false],
    ['after a major change', '1.1', at(10), true],
    ['after a major change that was skipped on the way to a minor one', '1.0', at(15), true],
    ['not from one major to its own minor', '2.0', at(15), false],
    ['not before the change takes effect', '1.1', at(9), false],
    ['for a version that the catalogue does not know', 'imported', at(15), true],
  ])('%s', (_name, agreed, now, expected) => {
    expect(isReconsentRequired(all, agreed, now)).toBe(expected);
  });

  test('not if the newer version was withdrawn and the agreed one is newer than the active one', () => {
    const versions = [major1, { ...major2, withdrawnAt: at(12) }];
    expect(activeVersion(versions, at(13))?.versionId).toBe('1.0');
    expect(isReconsentRequired(versions, '2.0', at(13))).toBe(false);
  });
});
