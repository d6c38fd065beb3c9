import { describe, expect, test } from 'vitest';
import type { ConsentState } from '../../functions/access/consent-states.ts';
import type { AgreementWithVersions, Version } from '../../functions/agreements/rules/catalogue.ts';
import type { Shown } from '../../functions/consents/rules/consent.ts';
import { decideSeveral, findWanted } from '../../functions/consents/rules/several.ts';

const now = '2026-03-01T12:00:00.000Z';

function version(agreementId: string, versionId: string, effectiveFrom: string | null): Version {
  const content = { title: 'T', contentUrl: 'https://example.com', contentHash: 'a'.repeat(64) };
  const times = { publishedAt: effectiveFrom, effectiveFrom, withdrawnAt: null };
  const texts = { defaultLocale: 'en', locales: { en: content } };
  return { agreementId, versionId, label: versionId, changeType: 'major', ...texts, ...times };
}

function agreement(agreementId: string): AgreementWithVersions {
  const entry = { agreementId, application: 'sleepcare', title: 'T', isRequired: false, position: 1 } as const;
  const versions = [
    version(agreementId, `${agreementId}-1`, '2026-01-01T00:00:00.000Z'),
    version(agreementId, `${agreementId}-2`, '2026-02-01T00:00:00.000Z'),
    version(agreementId, `${agreementId}-3`, null),
  ];
  return { agreement: entry, versions };
}

const shownOf = ({ versionId }: Version): Shown => ({
  versionId,
  contentHash: 'a'.repeat(64),
  locale: 'en',
  localeSource: 'negotiated',
  appVersion: null,
});

const find = (...versionIds: string[]) => findWanted([agreement('a'), agreement('b')], versionIds, now, shownOf);

function stateOf(agreementId: string, versionId: string, action: 'agreed' | 'revoked'): [string, ConsentState] {
  const recordedAt = '2026-02-10T00:00:00.000Z';
  const place = { userId: 'user', agreementId, recordedAt, sequence: 1, recordId: 'r', hash: 'h' };
  const { appVersion: _, ...shown } = shownOf(version(agreementId, versionId, null));
  return [agreementId, { ...place, ...shown, action }];
}

describe('the versions that are asked for', () => {
  test('are found with the active version of their agreement', () => {
    const { missing, wanted } = find('b-2', 'a-1', 'a-3');
    expect(missing).toEqual([]);
    expect(
      wanted.map(({ agreementId, activeVersionId, shown }) => [agreementId, activeVersionId, shown.versionId]),
    ).toEqual([
      ['b', 'b-2', 'b-2'],
      ['a', 'a-2', 'a-1'],
      ['a', 'a-2', 'a-3'],
    ]);
  });

  test('that are unknown are all reported at once', () => {
    expect(find('x-1', 'a-2', 'y-1').missing).toEqual(['x-1', 'y-1']);
  });
});

describe('a decision', () => {
  const agreed = stateOf('a', 'a-2', 'agreed');
  const superseded = stateOf('a', 'a-1', 'agreed');
  const revoked = stateOf('a', 'a-2', 'revoked');

  test.each<[string, string[], [string, ConsentState][], string[]]>([
    ['first consents', ['a-2', 'b-2'], [], ['a-2 change', 'b-2 change']],
    ['what is agreed to already stays', ['b-2', 'a-2'], [agreed], ['b-2 change', 'a-2 unchanged']],
    ['what was revoked is agreed to anew', ['a-2', 'b-2'], [revoked], ['a-2 change', 'b-2 change']],
    ['a newer version', ['a-2'], [superseded], ['a-2 change']],
    ['a superseded one that is agreed to', ['a-1', 'b-2'], [superseded], ['a-1 unchanged', 'b-2 change']],
  ])('%s', (_name, ids, states, steps) => {
    const decided = decideSeveral(find(...ids).wanted, { states: new Map(states), ends: [] });
    const told = decided.outcome === 'agreed' ? decided.steps : [];
    expect(told.map(({ versionId, outcome }) => `${versionId} ${outcome}`)).toEqual(steps);
  });

  test('consents that ended with the account can be given again', () => {
    const [, state] = agreed;
    const decided = decideSeveral(find('a-2').wanted, { states: new Map([agreed]), ends: [state.recordedAt] });
    expect(decided).toMatchObject({ outcome: 'agreed', steps: [{ versionId: 'a-2', outcome: 'change' }] });
  });

  test.each<[string, string[], [string, ConsentState][], string]>([
    ['a superseded version', ['b-2', 'a-1'], [], 'a'],
    ['a superseded one that was revoked', ['a-1'], [stateOf('a', 'a-1', 'revoked')], 'a'],
    ['a draft', ['a-3', 'b-1'], [], 'a'],
    ['two versions of one agreement, one of them agreed to', ['a-2', 'a-1'], [superseded], 'a'],
  ])('refuses %s, and all with it', (_name, ids, states, refused) => {
    const decided = decideSeveral(find(...ids).wanted, { states: new Map(states), ends: [] });
    expect(decided).toMatchObject({ outcome: 'refused', refused: { agreementId: refused } });
  });
});
