import { describe, expect, test } from 'vitest';
import { labels } from '../../functions/receipts/rules/evidence-labels.ts';
import { type Evidence, evidencePage } from '../../functions/receipts/rules/evidence-page.ts';
import { historyOf } from '../ledger/histories.ts';

const hostile = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp;`;

function evidence(changes: Partial<Evidence['agreements'][0]> = {}): Evidence {
  const entries = historyOf(3, 'user-1').map((record) => ({
    record,
    text: { title: 'Marketing', contentUrl: 'https://content.example.com/marketing.md' },
    receipt: 'aaa.bbb.ccc',
  }));
  const agreement = {
    agreementId: 'marketing',
    application: 'sleepcare',
    title: 'Marketing',
    isRequired: false,
    problems: [],
    entries,
    ...changes,
  };
  const exportedAt = '2026-11-21T12:00:00.000Z';
  return { userId: 'user-1', environment: 'dev', exportedAt, agreements: [agreement], keys: [{ kid: 'key-1' }] };
}

describe('the page', () => {
  test.each(['en', 'de'] as const)('in %s says what was decided, when and how to check it', (locale) => {
    const page = evidencePage(evidence(), locale, 'Europe/Berlin');
    const words = labels[locale];
    expect(page).toContain(`<html lang="${locale}">`);
    for (const word of [words.title, words.agreed, words.revoked, words.intact, words.unchecked, ...words.steps])
      expect(page).toContain(word);
    expect(page).toContain(locale === 'de' ? '1. Januar 2026 um 09:00:00' : 'January 1, 2026 at 9:00:00');
    expect(page.match(/<li class="was-/g)).toHaveLength(3);
    expect(page).toContain('consents.jsonl, ');
    expect(page).toContain('key-1');
  });

  test('refers to nothing elsewhere and runs nothing', () => {
    const page = evidencePage(evidence(), 'en', 'UTC');
    expect(page).not.toMatch(/<(script|link|img|iframe|object|form|a)\b|\b(src|href|on\w+)=|url\(|@import/i);
    expect(page).toContain(`default-src 'none'`);
  });

  test('shows what others wrote as text', () => {
    const [entry] = evidence().agreements[0]?.entries ?? [];
    const record = Object.fromEntries(
      Object.entries(entry?.record ?? {}).map(([name, value]) => [name, typeof value === 'string' ? hostile : value]),
    ) as NonNullable<typeof entry>['record'];
    const changes = {
      agreementId: hostile,
      application: hostile,
      title: hostile,
      problems: [hostile],
      entries: [{ record, text: { title: hostile, contentUrl: hostile }, receipt: hostile }],
    };
    const page = evidencePage({ ...evidence(changes), userId: hostile, keys: [{ kid: hostile }] }, 'en', 'UTC');
    expect(page).not.toMatch(/<script|<img|='alert/);
    expect(page).toContain(
      '&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=&#39;alert(2)&#39;&gt;&amp;amp;',
    );
  });

  test('shows what is no text at all, also what says that it is escaped', () => {
    const [entry] = evidence().agreements[0]?.entries ?? [];
    const values = { isEscaped: true, callbacks: [], 0: hostile };
    const record = Object.fromEntries(Object.keys(entry?.record ?? {}).map((name) => [name, values]));
    const changed = { ...entry, record } as unknown as NonNullable<typeof entry>;
    const page = evidencePage(evidence({ entries: [changed] }), 'en', 'UTC');
    expect(page).toMatch(/^<!doctype html>[\s\S]*<code>\[object Object\]<\/code>[\s\S]*<\/html>\n$/);
    expect(page).not.toMatch(/<script|<img|Promise/);
  });

  test('says what the check found', () => {
    const page = evidencePage(evidence({ problems: ['record 2 is not there'] }), 'en', 'UTC');
    expect(page).toContain('Marketing: record 2 is not there');
    expect(page).not.toContain(labels.en.intact);
  });
});
