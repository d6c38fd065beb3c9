import { describe, expect, test } from 'vitest';
import { crisisHelp } from '../../functions/questionnaires/rules/crisis-help.ts';

/** The number that a patient in a crisis sees: it must work where the patient is. */

const reached = (locale: string | null, zone: string | null) => {
  const { country, contacts } = crisisHelp(locale, zone);
  return [country, contacts.map(({ phone, url }) => phone ?? url)];
};
const germany = ['112', '0800 1110111', '0800 1110222', '116 123'];
const helplines = 'https://findahelpline.com';

describe('if the zone names a place, only the zone decides', () => {
  test.each([
    ['Europe/Berlin', 'DE', germany],
    ['europe/berlin', 'DE', germany],
    ['Europe/Busingen', 'DE', germany],
    ['Europe/Vienna', 'AT', ['112', '142']],
    ['Europe/Zurich', 'CH', ['112', '143']],
    ['Europe/Vaduz', 'LI', ['112', '143']],
    ['Europe/Paris', 'EU', ['112', helplines]],
    ['Atlantic/Canary', 'EU', ['112', helplines]],
    ['America/New_York', '001', [helplines]],
    ['Asia/Tokyo', '001', [helplines]],
    ['Europe/Istanbul', '001', [helplines]],
  ])('%s: %s', (zone, country, contacts) => {
    for (const locale of ['de-DE', 'de', 'en-US', null]) expect(reached(locale, zone)).toEqual([country, contacts]);
  });

  test('only the zones of Germany have numbers that work only from Germany', () => {
    const german = Intl.supportedValuesOf('timeZone').filter((zone) => reached('de-DE', zone)[0] === 'DE');
    expect(german).toEqual(['Europe/Berlin', 'Europe/Busingen']);
  });
});

describe('if the zone names no place, the locale decides', () => {
  test.each([
    ['de-DE', 'DE', germany],
    ['de', 'DE', germany],
    ['DE-de', 'DE', germany],
    ['de-AT', 'AT', ['112', '142']],
    ['de-Latn-CH', 'CH', ['112', '143']],
    ['fr-FR', 'EU', ['112', helplines]],
    ['en-GB', 'EU', ['112', helplines]],
    ['en-US', '001', [helplines]],
    ['de-US', '001', [helplines]],
    ['en', 'EU', ['112', helplines]],
    [null, 'EU', ['112', helplines]],
  ])('%s: %s', (locale, country, contacts) => {
    for (const zone of [null, 'UTC', 'Etc/GMT+1', 'CET']) expect(reached(locale, zone)).toEqual([country, contacts]);
  });
});

test.each([
  ['de-AT', 'Europe/Vienna', /nicht in Echtzeit/],
  ['de', 'Asia/Tokyo', /nicht in Echtzeit.*Notruf des Landes/],
  ['fr-FR', 'Europe/Paris', /in real time/],
  [null, 'Asia/Tokyo', /in real time.*emergency number of the country/],
])('%s in %s: nobody watches, in words that are read', (locale, zone, notice) => {
  const help = crisisHelp(locale, zone);
  expect(help.notice).toMatch(notice);
  for (const { name, phone, url } of help.contacts)
    expect([name.length > 0, phone ?? url]).toEqual([true, expect.any(String)]);
});
