import fc from 'fast-check';
import { expect, test } from 'vitest';
import { activeVersion, statusOf, type Version } from '../../functions/agreements/rules/catalogue.ts';
import { decidePublication, decideWithdrawal } from '../../functions/agreements/rules/publication.ts';

const now = '2026-03-01T12:00:00.000Z';
const later = '2026-03-02T12:00:00.000Z';
const draft = { publishedAt: null, effectiveFrom: null, withdrawnAt: null };
const published = { publishedAt: now, effectiveFrom: now, withdrawnAt: null };

test.each([
  ['a draft, at once', draft, null, { outcome: 'publish', publishedAt: now, effectiveFrom: now }],
  ['a draft, later', draft, later, { outcome: 'publish', publishedAt: now, effectiveFrom: later }],
  ['a draft, this very moment', draft, now, { outcome: 'publish', publishedAt: now, effectiveFrom: now }],
  ['a draft, in the past', draft, '2026-03-01T11:59:59.999Z', { outcome: 'past' }],
  ['again, without a time', published, null, { outcome: 'unchanged' }],
  ['again, at the same time', published, now, { outcome: 'unchanged' }],
  ['again, at another time', published, later, { outcome: 'published' }],
  ['again, at a time in the past', published, '2020-01-01T00:00:00.000Z', { outcome: 'published' }],
  ['what is withdrawn', { ...published, withdrawnAt: now }, null, { outcome: 'published' }],
])('publishing %s', (_, version, effectiveFrom, decision) => {
  expect(decidePublication(version, effectiveFrom, now)).toEqual(decision);
});

test.each([
  ['a draft', draft, { outcome: 'draft' }],
  ['what is published', published, { outcome: 'withdraw', withdrawnAt: later }],
  [
    'what is scheduled',
    { ...published, effectiveFrom: '2027-01-01T00:00:00.000Z' },
    { outcome: 'withdraw', withdrawnAt: later },
  ],
  ['again', { ...published, withdrawnAt: now }, { outcome: 'unchanged' }],
])('withdrawing %s', (_, version, decision) => {
  expect(decideWithdrawal(version, later)).toEqual(decision);
});

type Step = { what: 'draft' | 'publish' | 'withdraw'; which: number; inHours: number | null };

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('draft', 'publish', 'withdraw'),
  which: fc.nat({ max: 5 }),
  inHours: fc.option(fc.integer({ min: -3, max: 3 })),
});

const at = (hour: number, ms = 0) => new Date(Date.UTC(2026, 0, 1, hour) + ms).toISOString();

/** Steps of one millisecond stand for those at once. */
const hourOf = (index: number) => Math.floor(index / 3);

/** @returns the versions after each step */
function history(steps: readonly Step[]): Version[][] {
  let versions: Version[] = [];
  return steps.map(({ what, which, inHours }, index) => {
    const hour = hourOf(index);
    const chosen = versions[which % Math.max(versions.length, 1)];
    if (what === 'draft') versions = [...versions, { ...draft, ...blank, versionId: `v${versions.length}` }];
    else if (chosen) {
      const { outcome, ...times } =
        what === 'publish'
          ? decidePublication(chosen, inHours === null ? null : at(hour + inHours), at(hour))
          : decideWithdrawal(chosen, at(hour));
      if (outcome === 'publish' || outcome === 'withdraw') {
        versions = versions.map((each) => (each === chosen ? { ...each, ...times } : each));
      }
    }
    return versions;
  });
}

const blank = { agreementId: 'a', label: '1', changeType: 'major', defaultLocale: 'en', locales: {} } as const;

test('in any history, at any time and in any order of the rows, at most one version is active', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), fc.nat({ max: 30 }), (steps, hour) => {
      const versions = history(steps).at(-1) ?? [];
      const statuses = versions.map((version) => statusOf(version, versions, at(hour)));
      expect(statuses.filter((status) => status === 'active').length).toBeLessThanOrEqual(1);
      const turned = versions.toReversed();
      expect(turned.map((version) => statusOf(version, turned, at(hour))).reverse()).toEqual(statuses);
    }),
  );
});

test('no step changes what was active before it', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
      const states = history(steps);
      states.slice(1).forEach((after, index) => {
        const before = states[index] ?? [];
        const past = at(hourOf(index + 1), -1);
        expect(activeVersion(after, past)?.versionId).toBe(activeVersion(before, past)?.versionId);
      });
    }),
  );
});

test('once published, the times of a version stay, and its withdrawal does', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const states = history(steps);
      const last = states.at(-1) ?? [];
      for (const version of states.flat().filter(({ publishedAt }) => publishedAt !== null)) {
        const { publishedAt, effectiveFrom, withdrawnAt } = version;
        expect(last.find(({ versionId }) => versionId === version.versionId)).toMatchObject({
          publishedAt,
          effectiveFrom,
          ...(withdrawnAt !== null && { withdrawnAt }),
        });
      }
    }),
  );
});
