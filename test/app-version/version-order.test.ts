import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { compareAppVersions, releaseName } from '../../functions/app-version/rules/version-order.ts';
import { AppVersion } from '../../lib/contract/fields.ts';

describe('the order', () => {
  // The chain of SemVer 2, rule 11, with the cases that only compare-versions gets wrong.
  const ascending = [
    '0.9',
    '1.0.0--',
    '1.0.0-alpha',
    '1.0.0-alpha.0',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-beta.1a',
    '1.0.0-rc.1',
    '1.0.0-x',
    '1.0.0-zz',
    '1.0.0',
    '1.0.0.1-rc',
    '1.0.0.1',
    '1.0.1',
    '1.9',
    '1.10',
    '2',
    '999999999.999999999.999999999.999999999',
  ];

  test('every version is newer than all before it', () => {
    for (const [index, version] of ascending.entries()) {
      for (const [otherIndex, other] of ascending.entries()) {
        const order = Math.sign(compareAppVersions(version, other));
        expect([version, other, order]).toEqual([version, other, Math.sign(index - otherIndex)]);
      }
    }
  });

  test.each([
    ['1.2', '1.2.0'],
    ['1', '1.0.0.0'],
    ['1.02', '1.2'],
    ['1.2.3+1', '1.2.3+2'],
    ['1.2-beta', '1.2.0.0-beta'],
    ['1.2-beta-2+x.y', '1.2.0-beta-2'],
  ])('%s is %s', (one, other) => {
    expect(compareAppVersions(one, other)).toBe(0);
    expect(releaseName(one)).toBe(releaseName(other));
  });
});

describe('what can be read', () => {
  test.each([
    ['1', '1'],
    ['1.2.3.4', '1.2.3.4'],
    [' 1.2.3 ', '1.2.3'],
    ['1.2.3-beta.2+45', '1.2.3-beta.2+45'],
    ['1.2.3 45', '1.2.3+45'],
    ['2026.03.01', '2026.03.01'],
  ])('%j is %s', (text, version) => {
    expect(z.parse(AppVersion, text)).toBe(version);
  });

  test.each([
    '',
    ' ',
    'latest',
    'v1.2.3',
    '1.2.3.4.5',
    '1..2',
    '1.',
    '.1',
    '-1',
    '1.x',
    '1.*',
    '^1.2',
    '>=1.2',
    '1.2.3-',
    '1.2.3-01',
    '1.2.3-a..b',
    '1.2.3+',
    '1,2',
    '1.2.3 (45)',
    '١.٢',
    '1e3',
    '0x10',
    '1.1234567890',
    `1.0.0-${'a'.repeat(64)}`,
    'null',
    'undefined',
  ])('%j cannot', (text) => {
    expect(z.safeParse(AppVersion, text).success).toBe(false);
  });
});
