import { compareVersions } from 'compare-versions';

/** The order of app versions, whose form `AppVersion` (lib/contract/fields.ts) has checked. */

/**
 * @returns negative where `one` is the older, 0 where both are the same release. Missing numbers are zeros, a build
 * (`+45`) does not count, and a pre-release is older than its release.
 */
export function compareAppVersions(one: string, other: string): number {
  const [a, b] = [parts(one), parts(other)];
  return compareVersions(a.numbers, b.numbers) || comparePreReleases(a.preRelease, b.preRelease);
}

/** One text for all ways to write a release: `1.2`, `1.2.0+45` and `1.02.0.0` are `1.2.0.0`. */
export function releaseName(version: string): string {
  const { numbers, preRelease } = parts(version);
  const padded = [...numbers.split('.').map(Number), 0, 0, 0].slice(0, 4).join('.');
  return [padded, ...(preRelease.length > 0 ? [preRelease.join('.')] : [])].join('-');
}

function parts(version: string): { numbers: string; preRelease: string[] } {
  const [precedent = ''] = version.split('+');
  const [numbers = '', ...rest] = precedent.split('-');
  return { numbers, preRelease: rest.length === 0 ? [] : rest.join('-').split('.') };
}

/**
 * SemVer 2, rule 11. compare-versions 6.1.1 deviates from it: it takes `alpha` for `alpha.0`, `1a` for `1`, and an `x` for
 * anything.
 */
function comparePreReleases(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return other.length - one.length;
  const differing = one.findIndex((identifier, index) => identifier !== other[index]);
  const [a, b] = [one[differing], other[differing]];
  if (a === undefined || b === undefined) return one.length - other.length;
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOtherNumber) return a.length - b.length || (a < b ? -1 : 1);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return a < b ? -1 : 1;
}
