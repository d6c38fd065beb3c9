import { describe, expect, test } from 'vitest';
import { exportedDomains, exportedFiles } from '../../functions/generated/exported-domains.ts';
import { type Contents, indexPage } from '../../functions/personal-exports/rules/index-page.ts';
import { closing, opening, rowsText } from '../../functions/personal-exports/rules/json-file.ts';
import {
  footOfList,
  headOfAgreement,
  headOfList,
  itemsOfList,
  type Listed,
} from '../../functions/receipts/rules/consent-list.ts';

/** What people typed is in them: none of it may be anything but text. */

const hostile = '</dd><script>alert(1)</script><img src=x onerror="alert(2)">\'&amp;';
const shown =
  '&lt;/dd&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=&quot;alert(2)&quot;&gt;&#39;&amp;amp;';

const contents: Contents = {
  userId: 'u',
  locale: 'en',
  timeZone: 'Europe/Berlin',
  requestedAt: '2026-03-01T11:59:00.000Z',
  madeAt: '2026-03-01T12:00:00.000Z',
  domains: exportedDomains,
  files: exportedFiles,
  entries: () => 2,
};

describe('the first page', () => {
  test('says of each list what it holds, why, how long and who sees it, as the declarations do', () => {
    const page = indexPage(contents);
    for (const { domain, tables } of exportedDomains) {
      expect(page).toContain(`<a href="${domain}.json">`);
      for (const { table, inEnglish } of tables) {
        expect(page).toContain(table.name);
        for (const text of Object.values(inEnglish))
          expect(page).toContain(text.replaceAll('`', '').replaceAll("'", '&#39;'));
      }
    }
    expect(page).toContain('<a href="consents.html">');
    expect(page).toContain('March 1, 2026 at 1:00');
    expect(page).toContain('2 entries');
  });

  test('in German, in the person’s zone; what nobody has translated is marked as English', () => {
    const [first] = exportedDomains;
    const untranslated = (first?.tables ?? []).map(({ inGerman: _german, ...table }) => table);
    const translated = exportedDomains.filter(({ tables }) => tables.every(({ inGerman }) => inGerman));
    const page = indexPage({
      ...contents,
      locale: 'de',
      timeZone: 'Asia/Tokyo',
      domains: translated,
      entries: () => 1,
    });
    expect(page).toContain('<html lang="de">');
    expect(page).toContain('1. März 2026 um 21:00');
    expect(page).toContain('1 Eintrag');
    expect(page).not.toContain('lang="en"');
    const mixed = indexPage({ ...contents, locale: 'de', domains: [{ domain: 'diary', tables: untranslated }] });
    expect(mixed).toContain('<dd lang="en">');
  });

  test('a domain that is translated is translated whole', () => {
    const halves = exportedDomains.filter(
      ({ tables }) => tables.some(({ inGerman }) => inGerman) && !tables.every(({ inGerman }) => inGerman),
    );
    expect(halves.map(({ domain }) => domain)).toEqual([]);
    expect(exportedDomains.filter(({ tables }) => tables.every(({ inGerman }) => inGerman)).length).toBeGreaterThan(10);
  });

  test('shows a hostile text as text', () => {
    const inEnglish = { holds: hostile, why: hostile, howLong: hostile, readers: hostile };
    const table = { name: hostile, partitionKey: 'userId' };
    const page = indexPage({
      ...contents,
      userId: hostile,
      domains: [{ domain: hostile, tables: [{ table, inEnglish }] }],
      files: [{ name: hostile, holds: { en: hostile, de: hostile } }],
    });
    expect(page.split(shown)).toHaveLength(12);
    expect(page).not.toContain('<script');
    expect(page).not.toContain('<img');
  });
});

describe('the page on consents', () => {
  const record = {
    userId: 'u',
    agreementId: hostile,
    recordedAt: hostile,
    sequence: 1,
    recordId: hostile,
    action: 'agreed',
    versionId: hostile,
    contentHash: hostile,
    locale: hostile,
    localeSource: 'stated',
    appVersion: hostile,
    requestId: hostile,
    source: 'user',
    previousHash: null,
    hash: hostile,
  } as const;
  const pageOf = (listed: readonly Listed[], locale: 'en' | 'de' = 'en') =>
    headOfList(locale, 'UTC') +
    headOfAgreement(hostile, hostile) +
    itemsOfList(listed, locale, 'UTC') +
    footOfList(locale, false);

  test('shows a hostile text as text', () => {
    const page = pageOf([
      { record, text: { title: hostile, contentUrl: hostile }, receipt: null },
      { record, text: null, receipt: hostile },
    ]);
    expect(page).toContain(shown);
    expect(page).not.toContain('<script');
    expect(page).not.toContain('<img');
  });

  test('says where each decision’s receipt is had, or shows it; and how it is verified', () => {
    const said = { ...record, agreementId: 'marketing', recordId: 'r-1', recordedAt: '2026-03-01T12:00:00.000Z' };
    const without = pageOf([{ record: said, text: null, receipt: null }]);
    expect(without).toContain('/users/agreements/marketing/history/r-1/receipt');
    expect(pageOf([{ record: said, text: null, receipt: 'a.b.c' }])).toContain('<code>a.b.c</code>');
    for (const address of ['/agreements/receipts/verify', '/.well-known/jwks.json']) expect(without).toContain(address);
    expect(pageOf([{ record: { ...said, action: 'revoked' }, text: null, receipt: null }], 'de')).toContain(
      'Widerrufen',
    );
  });
});

test('a domain’s file is one object of arrays, whatever DynamoDB had in its rows', () => {
  const first = { name: 'Notes', isFirstOfFile: true, isLastOfFile: false };
  const last = { name: 'Empty', isFirstOfFile: false, isLastOfFile: true };
  const rows = [
    { text: 'line\nbreak "quoted" \u2028', set: new Set(['a', 'b']), bytes: new Uint8Array([1, 2, 255]) },
    { large: 12345678901234567890n, none: null, list: [{ deep: true }] },
  ];
  const text =
    opening(first) +
    rowsText(rows.slice(0, 1), 0) +
    rowsText(rows.slice(1), 1) +
    closing(first, 2) +
    opening(last) +
    closing(last, 0);
  expect(JSON.parse(text)).toEqual({
    Notes: [
      { text: 'line\nbreak "quoted" \u2028', set: ['a', 'b'], bytes: 'AQL/' },
      { large: '12345678901234567890', none: null, list: [{ deep: true }] },
    ],
    Empty: [],
  });
});
