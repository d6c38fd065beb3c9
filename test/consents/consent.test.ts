import { describe, expect, test } from 'vitest';
import type { ConsentState } from '../../functions/access/consent-states.ts';
import {
  consentOf,
  decideAgreement,
  decideRevocation,
  nextRecordedAt,
  type Shown,
} from '../../functions/consents/rules/consent.ts';
import { nextRecord, stateOf } from '../../functions/consents/rules/record.ts';

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
    expect(decideAgreement(before, shown, [])).toEqual(expected);
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
    expect(decideRevocation(before, [])).toEqual(expected);
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

test('the list shows only the current consent', () => {
  const nothing = { agreed: false, agreedVersionId: null, agreedAt: null, revokedAt: null, endedAt: null };
  const recordedAt = '2026-03-01T12:00:00.000Z';
  expect(consentOf(null, [])).toEqual(nothing);
  expect(consentOf(state('agreed'), [])).toEqual({
    ...nothing,
    agreed: true,
    agreedVersionId: 'v1',
    agreedAt: recordedAt,
  });
  expect(consentOf(state('revoked'), [])).toEqual({ ...nothing, revokedAt: recordedAt });
});

describe('when the account was closed, and opened again', () => {
  const recordedAt = '2026-03-01T12:00:00.000Z';
  const [before, later, last] = ['2026-03-01T11:59:59.999Z', '2026-03-02T12:00:00.000Z', '2026-03-03T12:00:00.000Z'];
  const change = { ...shown, action: 'agreed' };

  test.each<[string, string[], ReturnType<typeof decideAgreement>]>([
    ['before the consent', [before], { outcome: 'unchanged', at: recordedAt }],
    ['at its very time', [recordedAt], { outcome: 'change', change: { ...shown, action: 'agreed' } }],
    ['after it', [before, later, last], { outcome: 'change', change: { ...shown, action: 'agreed' } }],
  ])('%s: what agreeing does', (_name, ends, expected) => {
    expect(decideAgreement(state('agreed'), shown, ends)).toEqual(expected);
  });

  test('an ended consent can be given again, but not revoked', () => {
    expect(decideRevocation(state('agreed'), [later, last])).toEqual({ outcome: 'unchanged', at: later });
    expect(decideRevocation(state('revoked'), [later])).toEqual({ outcome: 'unchanged', at: recordedAt });
    expect(decideAgreement(state('revoked'), shown, [later])).toEqual({ outcome: 'change', change });
  });

  test('the list shows when a consent ended, and not that of another time', () => {
    const ended = { agreed: false, agreedVersionId: null, agreedAt: null, revokedAt: null, endedAt: later };
    expect(consentOf(state('agreed'), [before, later, last])).toEqual(ended);
    expect(consentOf(state('agreed'), [before])).toMatchObject({ agreed: true, endedAt: null });
    expect(consentOf(state('revoked'), [later])).toEqual({ ...ended, revokedAt: recordedAt });
    // Nothing ended where there was nothing.
    expect(consentOf(null, [later])).toEqual({ ...ended, endedAt: null });
  });

  test('the next record is later than the end, whatever the clock says', () => {
    const at = { userId: 'u', agreementId: 'a', now: new Date(before), after: later, recordId: 'r', requestId: 'q' };
    const next = nextRecord(state('agreed'), { ...shown, action: 'agreed' }, at);
    expect(next.recordedAt).toBe('2026-03-02T12:00:00.001Z');
    expect(consentOf(stateOf(next), [later])).toMatchObject({ agreed: true, endedAt: null });
  });
});
