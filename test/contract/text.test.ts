import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createAgreement, draftAgreementVersion, listCatalogue } from '../../functions/agreements/routes.ts';
import { putAppVersionPolicy, readAppVersionPolicy } from '../../functions/app-version/routes.ts';
import {
  HttpsAddress,
  manyLines,
  oneLine,
  RecordedVersion,
  visibleLine,
  visibleLines,
} from '../../lib/contract/fields.ts';
import { policy } from '../app-version/policy.ts';

/** Which characters of a free text are taken. */

const kinds = { oneLine, manyLines, visibleLine, visibleLines };
type Kind = keyof typeof kinds;
const takers = (text: string): Kind[] =>
  (Object.keys(kinds) as Kind[]).filter((kind) => z.safeParse(z.string().check(kinds[kind]), text).success);

const all: Kind[] = ['oneLine', 'manyLines', 'visibleLine', 'visibleLines'];
const ofManyLines: Kind[] = ['manyLines', 'visibleLines'];

const codePoints = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const controls = [...codePoints(0x00, 0x1f), ...codePoints(0x7f, 0x9f)];
const breaks = [0x09, 0x0a, 0x0d];

describe('a control character', () => {
  test.each(controls)('%i is taken nowhere, but for tabs and line breaks in text of several lines', (control) => {
    const expected = breaks.includes(control) ? ofManyLines : [];
    for (const text of [`a${String.fromCodePoint(control)}b`, `${String.fromCodePoint(control)}b`]) {
      expect(takers(text)).toEqual(expected);
    }
    expect(takers(`a${String.fromCodePoint(control)}`)).toEqual(expected);
  });

  test.each(controls)('%i is not in an address either', (control) => {
    const read = z.safeParse(HttpsAddress, `https://example.com/a${String.fromCodePoint(control)}b?c=d#e`).data;
    expect(read).toBe(breaks.includes(control) ? 'https://example.com/ab?c=d#e' : undefined);
  });

  test('is not in the version for the record', () => {
    expect(z.safeParse(RecordedVersion, '1.0 (β) – Build 7').success).toBe(true);
    for (const text of ['1.0\u001b[31m', '1.0\u2028', '1.0\u202e1', '1.0\u200b', '']) {
      expect(z.safeParse(RecordedVersion, text).success, JSON.stringify(text)).toBe(false);
    }
  });
});

test.each([
  ['a family, joined', '👨‍👩‍👧‍👦 ❤️ 🏳️‍🌈'],
  ['a skin tone and a flag', '👋🏽 🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ['marks of the writing direction', 'a\u200fb\u200ec\u202ad\u202c\u2066e\u2069'],
  ['Arabic and Hebrew', 'مرحبا שלום'],
  ['joiners of Persian and of Hindi', 'می\u200cخواهم क्\u200dष'],
  ['combining accents', 'e\u0301 n\u0303'],
  ['a soft hyphen and a space that does not break', 'Ein\u00adwilligung\u00a0für'],
  ['other scripts', '同意书 동의서 согласие Ελληνικά ไทย'],
  ['quotes, dashes and signs', '„…“ – § € ½ ™'],
  ['the last code point', '\u{10ffff}'],
])('%s: taken everywhere', (_name, text) => expect(takers(text)).toEqual(all));

test('a blank text is accepted if it may be blank', () => {
  for (const text of ['', ' ', '\u00a0\u3000']) expect(takers(text)).toEqual(['oneLine', 'manyLines']);
});

// A pattern that went back and forth would need minutes.
test('a long text that is refused at its end is refused at once', () => {
  for (const text of [`${' '.repeat(100_000)}\0`, `${'a '.repeat(50_000)}\0`]) expect(takers(text)).toEqual([]);
});

describe('a stored text with a character that is refused now is still answered', () => {
  const fits = (schema: z.core.$ZodType, value: unknown) => z.safeParse(schema, value).success;
  const title = 'a\nb\u0007';

  test('an agreement and its versions', () => {
    const agreement = { agreementId: 'a', application: 'sleepcare', title, isRequired: true, position: 1 };
    const text = { title, contentUrl: 'https://example.com/a', contentHash: 'a'.repeat(64) };
    const version = { versionId: 'v', label: title, changeType: 'major', defaultLocale: 'en', locales: { en: text } };
    const times = { publishedAt: null, effectiveFrom: null, withdrawnAt: null };
    const kept = { ...agreement, versions: [{ agreementId: 'a', ...version, status: 'draft', ...times }] };
    expect(fits(listCatalogue.items, kept)).toBe(true);
    expect([fits(createAgreement.body, agreement), fits(draftAgreementVersion.body, version)]).toEqual([false, false]);
  });

  test('a version policy', () => {
    const blockedBuilds = [{ version: '1.0', buildNumber: title }];
    const texts = { ...policy().texts, blocked: { en: { title, message: title } } };
    const written = { ...policy(), blockedBuilds, texts };
    const kept = { application: 'sleepcare', platform: 'ios', revision: 1, updatedAt: new Date(0).toISOString() };
    expect(fits(readAppVersionPolicy.response, { ...written, ...kept, updatedBy: 'u' })).toBe(true);
    expect(fits(putAppVersionPolicy.body, written)).toBe(false);
  });
});
