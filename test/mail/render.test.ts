import { describe, expect, test } from 'vitest';
import { kindNamed, type MailKind, mailKinds } from '../../functions/mail/rules/kinds.ts';
import { type MailLanguage, mailLanguages, written } from '../../functions/mail/rules/render.ts';
import { fromHeader } from '../../functions/mail/rules/sender.ts';
import { invitationPages, mailSenders, secureAccountPages } from '../../functions/product.ts';

const kinds = Object.keys(mailKinds) as MailKind[];
const link = 'https://medinfo.example.com/invitations#0123abcd';
const until = '2026-12-06T07:13:50.000Z';
const all = {
  inviter: 'Dr. Ada',
  clinic: 'Clinic',
  code: '271828',
  link,
  device: 'Phone',
  left: '9',
  until,
  at: until,
  member: 'ada@example.com',
  roles: 'physician',
};
const sender = { name: 'Sleep & Care', contact: 'help@example.com' };
const reader = (language: MailLanguage, timeZone: string | null = null) => ({ language, timeZone });

describe.each(mailLanguages)('in %s', (language) => {
  test.each(kinds)('%s: text and HTML say the same, and nothing is left to fill in', (kind) => {
    const { subject, text, html } = written(kind, sender, reader(language), all);
    expect(`${subject}${text}${html}`).not.toMatch(/[{}]/);
    const plain = html
      .replace(/<h1.*<\/h1>|<title>.*<\/title>|<[^>]+>/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
    expect(plain.split('\n').filter(Boolean)).toEqual(text.split('\n').filter(Boolean));
    const { code, isLink, secures } = kindNamed(kind);
    const hasLink = isLink === true || secures !== undefined;
    expect([text.includes('271828'), text.includes(link)]).toEqual([code !== undefined && !isLink, hasLink]);
    expect(html.includes(`<a href="${link}">${link}</a>`)).toBe(hasLink);
    for (const said of [sender.name, sender.contact]) expect(text.split('\n').at(-2)).toContain(said);
  });
});

test('a paragraph about what nobody knows is left out', () => {
  const said = (data: object) => written('staff-invitation', sender, reader('en'), { link, ...data }).text;
  expect(said({ inviter: 'Dr. Ada', clinic: 'North' })).toContain('Clinic: North\n\nWho invites you: Dr. Ada\n\n');
  expect(said({ inviter: 'Dr. Ada' })).not.toContain('Clinic');
  expect(said({})).not.toMatch(/Clinic|Who invites/);
});

test('a value is text: it makes no tag, no line, no header and no placeholder', () => {
  const device = '<img src=x onerror=alert(1)>\r\nBcc: a@example.com\u2028"&\' {code}';
  const { subject, text, html } = written('new-device', sender, reader('en'), { ...all, device });
  expect(html).not.toContain('<img');
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; Bcc: a@example.com &quot;&amp;&#39; {code}');
  expect(text.split('\n')).toHaveLength(written('new-device', sender, reader('en'), all).text.split('\n').length);
  expect(text).not.toContain('271828');
  expect(subject).not.toMatch(/[\r\n]/);
});

test('a long value is cut, and a missing one is a defect', () => {
  expect(written('new-device', sender, reader('de'), { ...all, device: 'x'.repeat(5000) }).text.length).toBeLessThan(
    1000,
  );
  expect(() => written('new-device', sender, reader('de'), { at: until })).toThrow('device');
  expect(() => written('new-device', sender, reader('de'), { device: 'Phone' })).toThrow('has no at');
});

test('a time is said as people read it, in their zone if it is known', () => {
  const said = (language: 'en' | 'de', zone: string | null) =>
    written('deletion-requested', sender, reader(language, zone), { until }).text;
  expect(said('de', 'Europe/Berlin')).toContain('Bis 6. Dezember 2026 um 08:13 MEZ können');
  expect(said('en', 'Europe/Berlin')).toContain('Until 6 December 2026 at 08:13 CET you');
  for (const zone of [null, 'Mars/Olympus'])
    expect(said('en', zone)).toContain('Until 6 December 2026 at 07:13 UTC you');
});

test('who writes stands in the header, in ASCII', () => {
  expect(fromHeader('Sleepcare', 'no-reply@example.com')).toBe('"Sleepcare" <no-reply@example.com>');
  expect(fromHeader('The "new" \\ one', 'a@b.example')).toBe('"The \\"new\\" \\\\ one" <a@b.example>');
  expect(fromHeader('Schlafärzte', 'a@b.example')).toBe('=?UTF-8?B?U2NobGFmw6RyenRl?= <a@b.example>');
  for (const { name, contact } of Object.values(mailSenders)) {
    // An encoded word holds 45 bytes, and a header has one line.
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(45);
    expect(`${name}${contact}`).not.toMatch(/[\r\n]/);
  }
});

test('a link with its token is whole in a mail, and its page has no # of its own', () => {
  const pages = [invitationPages, ...Object.values(secureAccountPages)].flatMap((each) => Object.values(each));
  for (const page of pages) {
    expect(page).toMatch(/^https:\/\/[^\s#]+$/);
    const whole = `${page}#01234567.${'0'.repeat(1000)}`;
    expect(written('staff-invitation', sender, reader('en'), { link: whole }).text).toContain(`${whole}\n`);
  }
});
