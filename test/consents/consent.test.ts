import { describe, expect, test } from 'vitest';
import {
  type ConsentState,
  consentOf,
  decideAgreement,
  decideRevocation,
  nextRecordedAt,
  type Shown,
} from '../../functions/consents/rules/consent.ts';

const state = (action: 'agreed' | 'revoked', versionId = 'v1'): ConsentState => ({
  userId: 'u',
  agreementId: 'a',
  recordedAt: '2026-03-01T12:00:00.000Z',
  sequence: 3,
  recordId: 'r',
  action,
  versionId,
  contentHash: 'c'.repeat(64),
  locale: 'de',
  localeSource: 'stated',
  hash: 'h'.repeat(64),
});
const shown: Shown = {
  versionId: 'v1',
  contentHash: 'd'.repeat(64),
  locale: 'en',
  localeSource: 'negotiated',
  appVersion: '1.0.0',
};

describe('agreeing', () => {
  test.each([
    ['never agreed', null, { outcome: 'change', change: { ...shown, action: 'agreed' } }],
    ['revoked', state('revoked'), { outcome: 'change', change: { ...shown, action: 'agreed' } }],
    ['agreed to another version', state('agreed', 'v0'), { outcome: 'change', change: { ...shown, action: 'agreed' } }],
    ['agreed to this version', state('agreed'), { outcome: 'unchanged', at: '2026-03-01T12:00:00.000Z' }],
  ])('%s', (_name, before, expected) => {
    expect(decideAgreement(before, shown)).toEqual(expected);
  });
});

describe('revoking', () => {
  const { versionId, contentHash, locale, localeSource } = state('agreed', 'v0');
  const revoked = { versionId, contentHash, locale, localeSource, appVersion: null, action: 'revoked' };
  test.each([
    ['never agreed', null, { outcome: 'unchanged', at: null }],
    ['revoked already', state('revoked'), { outcome: 'unchanged', at: '2026-03-01T12:00:00.000Z' }],
    ['agreed to whichever version', state('agreed', 'v0'), { outcome: 'change', change: revoked }],
  ])('%s', (_name, before, expected) => {
    expect(decideRevocation(before)).toEqual(expected);
  });
});

describe('the time of the next record', () => {
  const previous = '2026-03-01T12:00:00.000Z';
  test.each([
    ['now, for the first', null, '2026-03-01T11:00:00.000Z', '2026-03-01T11:00:00.000Z'],
    ['now, when the clock has moved on', previous, '2026-03-01T12:00:00.005Z', '2026-03-01T12:00:00.005Z'],
    ['a millisecond later, within the same one', previous, previous, '2026-03-01T12:00:00.001Z'],
    [
      'a millisecond later, when the clock stepped back',
      previous,
      '2026-03-01T11:00:00.000Z',
      '2026-03-01T12:00:00.001Z',
    ],
  ])('%s', (_name, before, now, expected) => {
    expect(nextRecordedAt(before, new Date(now))).toBe(expected);
  });
});

test('the list shows the current consent alone', () => {
  const nothing = { agreed: false, agreedVersionId: null, agreedAt: null, revokedAt: null };
  const recordedAt = '2026-03-01T12:00:00.000Z';
  expect(consentOf(null)).toEqual(nothing);
  expect(consentOf(state('agreed'))).toEqual({ ...nothing, agreed: true, agreedVersionId: 'v1', agreedAt: recordedAt });
  expect(consentOf(state('revoked'))).toEqual({ ...nothing, revokedAt: recordedAt });
});
