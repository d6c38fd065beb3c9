import { describe, expect, test } from 'vitest';
import { type MailKind, mailKinds } from '../../functions/mail/rules/kinds.ts';
import { mailLanguages, written } from '../../functions/mail/rules/render.ts';

const kinds = Object.keys(mailKinds) as MailKind[];
const all = { code: '271828', device: 'Phone', left: '9' };

describe.each(mailLanguages)('in %s', (language) => {
  test.each(kinds)('%s: text and HTML say the same, and nothing is left to fill in', (kind) => {
    const { subject, text, html } = written(kind, language, all);
    expect(`${subject}${text}${html}`).not.toMatch(/[{}]/);
    const plain = html.replace(/<h1.*<\/h1>|<title>.*<\/title>|<[^>]+>/g, '').replaceAll('&quot;', '"');
    expect(plain.split('\n').filter(Boolean)).toEqual(text.split('\n').filter(Boolean));
    expect(text.includes('271828')).toBe('code' in mailKinds[kind]);
  });
});

test('a value is text: it makes no tag, no line, no header and no placeholder', () => {
  const device = '<img src=x onerror=alert(1)>\r\nBcc: a@example.com\u2028"&\' {code}';
  const { subject, text, html } = written('new-device', 'en', { device, code: '271828' });
  expect(html).not.toContain('<img');
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; Bcc: a@example.com &quot;&amp;&#39; {code}');
  expect(text.split('\n')).toHaveLength(written('new-device', 'en', all).text.split('\n').length);
  expect(text).not.toContain('271828');
  expect(subject).not.toMatch(/[\r\n]/);
});

test('a long value is cut, and a missing one is a defect', () => {
  expect(written('new-device', 'de', { device: 'x'.repeat(5000) }).text.length).toBeLessThan(1000);
  expect(() => written('new-device', 'de', {})).toThrow('device');
});
