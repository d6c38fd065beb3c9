import { describe, expect, test } from 'vitest';
import { checkResult, etagOfResult } from '../../functions/app-version/rules/check-result.ts';
import { type Policy, problemsOf } from '../../functions/app-version/rules/policy.ts';
import { evaluate } from '../../functions/app-version/rules/verdict.ts';
import { chooseLanguage } from '../../lib/runtime/language.ts';
import { policy } from './policy.ts';

describe('a policy that contradicts itself', () => {
  const [text] = Object.values(policy().texts.blocked);
  test.each<[string, Partial<Policy>, string[]]>([
    ['none', {}, []],
    ['all versions equal', { minimumVersion: '3.1', recommendedVersion: '3.1.0', latestVersion: '3.1.0.0' }, []],
    ['the minimum above the recommended version', { minimumVersion: '3.0.1' }, ['minimumVersion']],
    ['the recommended above the latest version', { recommendedVersion: '3.2' }, ['recommendedVersion']],
    [
      'a mandatory release that is not in the store',
      { mandatoryReleases: ['3.1.0', '3.1.1'] },
      ['mandatoryReleases[1]'],
    ],
    [
      'all builds blocked of a version that apps are asked to install',
      {
        blockedBuilds: [
          { version: '3.0', buildNumber: null },
          { version: '3.1.0', buildNumber: '7' },
          { version: '3.1', buildNumber: null },
          { version: '2.9', buildNumber: null },
        ],
      },
      ['blockedBuilds[0]', 'blockedBuilds[2]'],
    ],
    ['maintenance that ends as it begins', { maintenance: { from: noon, until: noon } }, ['maintenance.until']],
    ['maintenance without an end', { maintenance: { from: noon, until: null } }, []],
    [
      'no text in the default language',
      { defaultLocale: 'fr' },
      ['recommended', 'blocked', 'maintenance'].map(inTexts),
    ],
    ['only some of the texts', { texts: { ...policy().texts, blocked: text ? { de: text } : {} } }, ['texts.blocked']],
  ])('%s', (_name, changes, paths) => {
    expect(problemsOf(policy(changes)).map(({ path }) => path)).toEqual(paths);
  });
});

describe('what the reader sees', () => {
  const old = evaluate(policy(), { platform: 'ios', appVersion: '1.0', buildNumber: null, deviceId: null }, noon);
  const result = (wanted: string | undefined, header?: string, of = policy()) =>
    checkResult(of, old, (available, fallback) => chooseLanguage(available, fallback, wanted, header));

  test.each([
    ['the language asked for', 'de', undefined, 'block (de)'],
    ['its region', 'de-AT', undefined, 'block (de)'],
    ['one that there is not, then the header', 'fr', 'de', 'block (de)'],
    ['nothing: the default', undefined, undefined, 'block (en)'],
    ['nothing that there is: the default', 'fr', 'it', 'block (en)'],
  ])('%s', (_name, wanted, header, title) => {
    expect(result(wanted, header).title).toBe(title);
  });

  test('has another ETag when anything in it changes', () => {
    const etags = [
      result('de'),
      result('en'),
      result('de', undefined, policy({ latestVersion: '3.2.0' })),
      result('de', undefined, policy({ storeUrl: 'https://store.example.com/other' })),
    ].map(etagOfResult);
    expect(new Set(etags).size).toBe(4);
    expect(etagOfResult(result('de'))).toBe(etags[0]);
  });
});

const noon = '2026-03-01T12:00:00.000Z';

function inTexts(kind: string): string {
  return `texts.${kind}`;
}
