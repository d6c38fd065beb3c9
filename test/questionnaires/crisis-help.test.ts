import { describe, expect, test } from 'vitest';
import { contactsByCountry, helplines, staleContacts } from '../../functions/questionnaires/rules/crisis-contacts.ts';
import { crisisHelp } from '../../functions/questionnaires/rules/crisis-help.ts';

/** The number that a patient in a crisis sees: it must work where the patient is. */

const reached = (locale: string | null, timezone: string | null, asked: string | null = null) => {
  const { country, contacts } = crisisHelp({ locale, timezone }, asked);
  return [country, contacts.map(({ channel, phone, url }) => `${channel} ${phone ?? url}`)];
};
const directory = 'web https://findahelpline.com';
const germany = ['phone 112', 'phone 0800 1110111', 'phone 0800 1110222', 'phone 116 123'];
const austria = ['phone 112', 'phone 142', 'chat https://chat.onlineberatung-telefonseelsorge.at'];
const switzerland = ['phone 112', 'phone 143', 'phone 0800 143 000'];
const unitedStates = ['phone 911', 'phone 988', 'text 988', 'chat https://988lifeline.org'];

describe('if the zone names a place, only the zone decides', () => {
  test.each([
    ['Europe/Berlin', 'DE', germany],
    ['europe/berlin', 'DE', germany],
    ['Europe/Busingen', 'DE', germany],
    ['Europe/Vienna', 'AT', austria],
    ['Europe/Zurich', 'CH', switzerland],
    ['Europe/Vaduz', 'LI', ['phone 112', 'phone 143']],
    ['Europe/Paris', 'FR', ['phone 112', 'phone 3114']],
    ['Atlantic/Canary', 'ES', ['phone 112', 'phone 024']],
    ['Europe/Rome', 'IT', ['phone 112', 'phone 02 2327 2327', directory]],
    ['Europe/Amsterdam', 'NL', ['phone 112', 'phone 113', 'phone 0800-0113', 'chat https://www.113.nl']],
    ['Europe/Brussels', 'BE', ['phone 112', 'phone 1813', 'phone 0800 32 123']],
    ['Europe/Warsaw', 'PL', ['phone 112', 'phone 116 123']],
    ['Europe/London', 'GB', ['phone 999', 'phone 116 123', 'text 85258']],
    ['Europe/Dublin', 'IE', ['phone 112', 'phone 116 123', 'text 50808']],
    ['America/New_York', 'US', unitedStates],
    ['US/Pacific', 'US', unitedStates],
    ['America/Toronto', 'CA', ['phone 911', 'phone 988', 'text 988']],
    [
      'Australia/Perth',
      'AU',
      ['phone 000', 'phone 13 11 14', 'text 0477 13 11 14', 'chat https://www.lifeline.org.au'],
    ],
    ['Europe/Lisbon', 'EU', ['phone 112', directory]],
    ['Asia/Tokyo', '001', [directory]],
    ['Europe/Istanbul', '001', [directory]],
    ['Europe/Jersey', '001', [directory]],
    ['America/Puerto_Rico', '001', [directory]],
  ])('%s: %s', (zone, country, contacts) => {
    for (const locale of ['de-DE', 'de', 'en-US', null]) {
      for (const asked of [null, 'de', 'en-GB', 'fr-CA']) {
        expect(reached(locale, zone, asked)).toEqual([country, contacts]);
      }
    }
  });

  test('only the zones of Germany have numbers that work only from Germany', () => {
    const german = Intl.supportedValuesOf('timeZone').filter((zone) => reached('de-DE', zone)[0] === 'DE');
    expect(german).toEqual(['Europe/Berlin', 'Europe/Busingen']);
  });

  // The second source: what CLDR says of the zones of a country.
  test.each(['US', 'CA', 'AU', 'GB', 'IE', 'FR', 'ES', 'IT', 'NL', 'BE', 'PL', 'DE', 'AT', 'CH'])(
    'all zones of %s belong to it, and no other zone does',
    (country) => {
      const region = new Intl.Locale(`und-${country}`) as Intl.Locale & { getTimeZones: () => string[] };
      const own = region.getTimeZones();
      expect(own.length).toBeGreaterThan(0);
      const found = Intl.supportedValuesOf('timeZone').filter((zone) => reached(null, zone)[0] === country);
      expect(found).toEqual(own.toSorted());
    },
  );
});

describe('if the zone names no place, the country of the profile’s locale decides, and no language does', () => {
  test.each([
    ['de-DE', 'DE', germany],
    ['DE-de', 'DE', germany],
    ['de-AT', 'AT', austria],
    ['de-Latn-CH', 'CH', switzerland],
    ['en-US', 'US', unitedStates],
    ['de-US', 'US', unitedStates],
    ['pt-PT', 'EU', ['phone 112', directory]],
    ['ja-JP', '001', [directory]],
    ['de', '001', [directory]],
    ['en', '001', [directory]],
    [null, '001', [directory]],
  ])('%s: %s', (locale, country, contacts) => {
    for (const zone of [null, 'UTC', 'Etc/GMT+1', 'CET']) {
      for (const asked of [null, 'de-DE', 'en-US']) expect(reached(locale, zone, asked)).toEqual([country, contacts]);
    }
  });
});

test.each([
  ['de-AT', 'Europe/Vienna', null, /nicht in Echtzeit/, /sieht niemand, bis Sie/],
  ['de', 'Asia/Tokyo', null, /nicht in Echtzeit.*Notruf des Ortes/, /sieht niemand, bis Sie/],
  ['fr-FR', 'Europe/Paris', null, /in real time/, /^Nobody sees this until you send it/],
  [null, 'Asia/Tokyo', null, /in real time.*emergency number of the place/, /^Nobody sees/],
  ['en-US', 'America/New_York', 'de-CH', /nicht in Echtzeit/, /sieht niemand/],
  ['de-DE', 'Europe/Berlin', 'en', /in real time/, /^Nobody sees/],
])('%s in %s, asked in %s: nobody watches, in words that are read', (locale, timezone, asked, notice, draftNotice) => {
  const help = crisisHelp({ locale, timezone }, asked);
  expect(help.notice).toMatch(notice);
  expect(help.draftNotice).toMatch(draftNotice);
});

describe('each contact', () => {
  const all = Object.entries({ ...contactsByCountry, '001': [helplines] });

  test.each(all)('of %s has all that a patient needs, and one is open day and night', (country, contacts) => {
    for (const { name, channel, phone, url, hours, languages, cost, source, checkedOn } of contacts) {
      expect([name.de, name.en, ...(hours ? [hours.de, hours.en] : [])].every((text) => text.length > 0)).toBe(true);
      expect([phone === null, url === null]).toEqual(
        channel === 'phone' || channel === 'text' ? [false, true] : [true, false],
      );
      if (phone !== null) expect(phone).toMatch(/^\d[\d -]+$/);
      expect(url ?? 'https://').toMatch(/^https:\/\//);
      expect(source).toMatch(/^https?:\/\/\S+$/);
      expect(checkedOn).toMatch(/^20\d\d-\d\d-\d\d$/);
      expect([null, 'free', 'call-charge']).toContain(cost);
      expect(languages.length).toBeGreaterThan(0);
    }
    expect(contacts.some(({ hours }) => hours === null)).toBe(true);
    if (country !== '001')
      expect(contacts[0]).toMatchObject({ name: { en: 'Emergency call' }, hours: null, cost: 'free' });
    // A helpline that closes is never the only one beside the emergency number.
    if (country !== '001') expect(contacts.slice(1).some(({ hours }) => hours === null)).toBe(true);
  });

  test.each([
    ['2027-11-24', 'a day before', 0],
    ['2027-11-25', 'at twelve months', 1],
    ['2028-06-01', 'later', 1],
  ])('on %s (%s) the lint finds %i', (today, _when, count) => {
    const one = { ...helplines, checkedOn: '2026-11-25' };
    expect(staleContacts(today, { '001': [one, { ...one, checkedOn: '2028-01-01' }] })).toHaveLength(count);
  });

  test('a contact that will be old in two months is named in the log of this test', () => {
    const soon = new Date(Date.now() + 61 * 86_400_000).toISOString().slice(0, 10);
    const old = staleContacts(soon);
    if (old.length > 0)
      console.warn(['compare these with their sources (npm run check -- contacts):', ...old].join('\n'));
    expect(staleContacts('2026-11-26')).toEqual([]);
  });
});
