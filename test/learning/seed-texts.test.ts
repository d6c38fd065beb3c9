import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { crisisHelp } from '../../functions/questionnaires/rules/crisis-help.ts';
import { programmeContents } from '../../functions/sleep/rules/programmes.ts';
import { currentRules } from '../../functions/sleep/rules/window-rules.ts';

/** What the seeded course says and what the service does are the same. */

const textOf = (unit: string, locale: string) =>
  readFileSync(
    new URL(`../../functions/learning/seed/sleep-basics/units/${unit}.${locale}.md`, import.meta.url),
    'utf8',
  );

describe.each(['de', 'en'])('whom to call in a crisis: %s', (locale) => {
  // A course names only numbers that somebody answers day and night.
  const contactsIn = (timezone: string) =>
    crisisHelp({ locale, timezone })
      .contacts.filter(({ channel, alwaysOpen }) => channel !== 'chat' && alwaysOpen)
      .flatMap(({ phone, url }) => phone ?? url ?? []);
  const own = ['Europe/Berlin', 'Europe/Vienna', 'Europe/Zurich', 'Europe/Vaduz'];
  const names = {
    de: ['Deutschland', 'Österreich', 'Schweiz', 'Liechtenstein'],
    en: ['Germany', 'Austria', 'Switzerland', 'Liechtenstein'],
  };

  // The first unit of all, which needs no other, and the one that is about the thoughts of the night.
  test.each(['what-sleep-does', 'thoughts-at-night'])('%s names who questionnaires name, and nobody else', (unit) => {
    const lines = textOf(unit, locale).split('\n');
    own.forEach((zone, index) => {
      const name = names[locale as 'de' | 'en'][index] ?? '';
      const line = lines.find((each) => each.startsWith('- ') && each.includes(name)) ?? '';
      for (const contact of contactsIn(zone).filter((each) => each !== '112')) expect(line).toContain(contact);
    });
    const listed = lines
      .filter((line) => line.startsWith('- '))
      .flatMap((line) => line.match(/\d[\d ]*\d|https:[^)]+/g) ?? []);
    const all = [...own, 'Europe/Lisbon', 'Asia/Tokyo'].flatMap(contactsIn);
    expect(new Set(listed)).toEqual(new Set(all));
  });
});

const programmes = Object.keys(programmeContents);

describe.each(programmes)('the sleep window in %s', (programmeId) => {
  const unit = `less-time-in-bed.${programmeId}`;

  test.each([
    [
      'de',
      [
        'Weniger als fünf Stunden',
        'fünf Nächte',
        'einmal in der Woche',
        'Viertelstunde',
        'neun Zehntel',
        'acht Zehntel',
      ],
    ],
    ['en', ['less than five hours', 'five nights', 'once a week', 'quarter of an hour', 'nine tenths', 'eight tenths']],
  ])('is explained with the numbers of its rules: %s', (locale, words) => {
    expect(currentRules).toMatchObject({
      ...{ leastMinutes: 300, nightsNeeded: 5, everyDays: 7, stepMinutes: 15 },
      ...{ longerFromPercent: 90, shorterBelowPercent: 80 },
    });
    expect(currentRules.leastByPhysician).toBeLessThan(currentRules.leastMinutes);
    const text = textOf(unit, locale);
    for (const word of words) expect(text).toContain(word);
  });

  test.each([
    [
      'de',
      [
        'unter 18',
        'manische',
        'Krampfanfälle',
        'schlafwandeln',
        'Nachtschreck',
        'Träume ausleben',
        'Schlafapnoe',
        'schwanger',
        'fahren müssen',
        'Schichten',
        'Psychose',
        'Alkohol, Drogen oder Schlafmitteln',
        'stürzen',
        'Herz- oder Lungenkrankheit',
      ],
    ],
    [
      'en',
      [
        'under 18',
        'manic',
        'seizures',
        'walk in your sleep',
        'night terrors',
        'act out your dreams',
        'apnoea',
        'pregnant',
        'have to drive',
        'shifts',
        'psychosis',
        'alcohol, drugs or sleeping pills',
        'fall easily',
        'heart or lung disease',
      ],
    ],
  ])('tells people who must not begin it by themselves: %s', (locale, words) => {
    const listed = textOf(unit, locale)
      .split('\n')
      .filter((line) => line.startsWith('- '))
      .join('\n');
    for (const word of words) expect(listed).toContain(word);
  });

  test.each([
    ['de', 'Eine Ärztin oder ein Arzt sieht den Vorschlag an', 'sieht keine Ärztin und kein Arzt'],
    ['en', 'a physician looks at the proposal', 'no physician looks'],
  ])('says who releases it: %s', (locale, byPhysician, byNobody) => {
    const text = textOf(unit, locale);
    const isByPhysician = programmeContents[programmeId]?.release === 'physician';
    expect([text.includes(byPhysician), text.includes(byNobody)]).toEqual([isByPhysician, !isByPhysician]);
  });
});
