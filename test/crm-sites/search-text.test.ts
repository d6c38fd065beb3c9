import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { weekOf } from '../../functions/crm-sites/rules/opening-hours.ts';
import { postalText } from '../../functions/crm-sites/rules/postal-text.ts';
import { areInOrder, isEverOpen } from '../../functions/crm-sites/schemas.ts';
import { nameText } from '../../functions/crm-users/rules/name-text.ts';

describe('the simplified text by which a name is found', () => {
  test.each([
    ['case', 'PRAXIS', 'praxis'],
    ['an umlaut', 'Müller', 'muller'],
    ['the same, as it is typed without one', 'Mueller', 'muller'],
    ['the same, without its dots', 'Muller', 'muller'],
    ['the same, in two characters', 'Mu\u0308ller', 'muller'],
    ['all three', 'ÄÖÜ äöü', 'aou aou'],
    ['a sharp s', 'Straße', 'strasse'],
    ['a great one', 'STRAẞE', 'strasse'],
    ['accents', 'Crème brûlée à Genève', 'creme brulee a geneve'],
    ['letters that are not taken apart', 'Łódź Øre Æther', 'lodz ore ather'],
    ['punctuation', 'Praxis "Dr.-Müller" & Co.', 'praxis dr muller co'],
    ['blanks around it', '  Praxis  ', 'praxis'],
    ['a ligature', 'ﬁne', 'fine'],
    ['full width', 'Ｐｒａｘｉｓ', 'praxis'],
    ['a final sigma', 'ΟΔΟΣ', 'οδοσ'],
    ['another script', 'Клиника', 'клиника'],
    ['a dotted capital', 'İzmir', 'izmir'],
    ['digits', 'Haus 12', 'haus 12'],
    ['the sign that divides a key', 'a#b', 'a b'],
    ['nothing to find', '🛌 !!!', ''],
  ])('%s', (_case, name, text) => expect(nameText(name)).toBe(text));

  test('the simplified beginning of a name is the beginning of the simplified name', () => {
    const names = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: fc.constantFrom(...'aeouüßÄ .-ΣσIİé') }));
    fc.assert(
      fc.property(names, fc.nat(40), (name, length) => {
        const beginning = [...name.normalize('NFC')].slice(0, length).join('');
        expect(nameText(name.normalize('NFC')).startsWith(nameText(beginning))).toBe(true);
      }),
    );
  });

  test('it fits a key, however long the name becomes', () => {
    for (const letter of ['x', 'ﷺ', '𝕏', '語', 'ß']) {
      expect(Buffer.byteLength(`${nameText(letter.repeat(200))}#${'x'.repeat(64)}`)).toBeLessThanOrEqual(1024);
    }
  });
});

test.each([
  ['sw1a 1aa', 'sw1a1aa'],
  ['SW1A1AA', 'sw1a1aa'],
  ['1010', '1010'],
  ['A-1010', 'a1010'],
  ['-', ''],
])('the postal code %s', (code, text) => expect(postalText(code)).toBe(text));

describe('opening hours', () => {
  const closed = { monday: [], tuesday: [], wednesday: [], thursday: [], friday: [], saturday: [], sunday: [] };

  test.each([
    ['none', [], true],
    ['a day', [{ from: '00:00', to: '24:00' }], true],
    [
      'a pause',
      [
        { from: '09:00', to: '12:00' },
        { from: '13:30', to: '17:00' },
      ],
      true,
    ],
    [
      'one right after the other',
      [
        { from: '09:00', to: '12:00' },
        { from: '12:00', to: '17:00' },
      ],
      true,
    ],
    [
      'an overlap',
      [
        { from: '09:00', to: '12:00' },
        { from: '11:59', to: '17:00' },
      ],
      false,
    ],
    [
      'out of order',
      [
        { from: '13:00', to: '17:00' },
        { from: '09:00', to: '12:00' },
      ],
      false,
    ],
    ['over midnight', [{ from: '22:00', to: '02:00' }], false],
    ['no time at all', [{ from: '09:00', to: '09:00' }], false],
  ])('%s', (_case, hours, isFine) => expect(areInOrder(hours)).toBe(isFine));

  test('in minutes, Monday first', () => {
    const week = weekOf({ ...closed, monday: [{ from: '09:30', to: '24:00' }] });
    expect(week).toEqual([[[570, 1440]], [], [], [], [], [], []]);
    expect(isEverOpen(closed)).toBe(false);
  });
});
