import { describe, expect, test } from 'vitest';
import { isBreached } from '../../functions/accounts/rules/breached.ts';
import { count } from '../../functions/accounts/rules/breached-generated.ts';
import { type Owner, weaknessOf } from '../../functions/accounts/rules.ts';
import { seededUsers } from '../../functions/product.ts';

const nobody: Owner = { email: null, name: null };
const ada: Owner = { email: 'ada.lovelace@clinic.example', name: 'Dr. Ada Lovelace' };

describe('what is refused', () => {
  test.each([
    ['breached', '1qaz2wsx3edc'],
    ['breached', 'IdeDeviceP0T'],
    ['breached', 'sonnenschein'],
    ['breached', 'SonnenSchein'],
    ['pattern', '111111111111'],
    ['pattern', '------------'],
    ['pattern', 'passwordpassword'],
    ['pattern', 'PasswordPASSWORD'],
    ['pattern', 'password-password'],
    ['pattern', 'abcabcabcabc'],
    ['pattern', 'abcabcabcabcab'],
    ['pattern', '123456789012'],
    ['pattern', '210987654321'],
    ['pattern', 'abcdefghijkl'],
    ['pattern', 'qwertyuiopas'],
    ['pattern', 'qwertzuiopü+'],
    ['pattern', 'asdfghjkl;zx'],
    ['pattern', 'poiuytrewqlk'],
    ['pattern', 'qwertyuiop123456'],
    ['pattern', 'aaaaaabbbbbb'],
    ['pattern', 'ａａａａａａａａａａａａ'],
    ['product-word', 'sleepcare2026'],
    ['product-word', 'Sleep-Care-2026!'],
    ['product-word', 'mobilehealth1'],
    ['product-word', 'MedInfo-SleepCare'],
    ['product-word', 's1eepc4re-2026'],
    ['own-data', 'ada.lovelace@clinic.example'],
    ['own-data', 'Ada.Lovelace@Clinic.Example'],
    ['own-data', 'ada.lovelace1'],
    ['own-data', 'lovelace-1815'],
    ['own-data', 'AdaLovelace!!'],
    ['own-data', 'lovelaceada00'],
    ['own-data', 'clinic-ada-2026'],
  ])('%s: %s', (reason, password) => {
    expect(weaknessOf(password, ada)).toBe(reason);
  });

  test('each password of the seeded users: they are for this machine only', () => {
    for (const { password } of seededUsers) expect(weaknessOf(password, nobody), password).not.toBe(null);
  });
});

describe('what is accepted', () => {
  test.each([
    'a-long-first-passphrase',
    'correct-horse-battery',
    'a password of my own',
    'the-first-passphrase',
    'Hedgehog1234',
    'kx9-123-vbqp',
    'ada loves horses and tea',
    'I like the clinic in Bern',
    'sleepcare is what my phone calls it',
    'пять слов о погоде',
    '雨の日には本を読みます。',
    '𝒂-long-and-cursive-one',
    'ö'.repeat(2).concat('-Kaffee-und-Kuchen'),
  ])('%s', (password) => {
    expect(weaknessOf(password, ada)).toBe(null);
  });

  test('the words of a short name or address are no ground', () => {
    const li: Owner = { email: 'li@x.example', name: 'Li O' };
    expect(weaknessOf('olive-lilac-violet', li)).toBe(null);
    expect(weaknessOf('li@x.example', li)).toBe('own-data');
  });

  test('nothing is asked of an owner of whom nothing is known', () => {
    expect(weaknessOf('lovelace-1815', nobody)).toBe(null);
  });
});

test('the kept list has more than ASVS asks for, and calls few others breached', () => {
  expect(count).toBeGreaterThan(3000);
  const others = Array.from({ length: 50_000 }, (_, index) => `a-password-of-nobody-${index}`);
  // One of 100,000: more than four of these are not to be expected.
  expect(others.filter(isBreached).length).toBeLessThan(5);
});

test('the longest passwords are patterns, too', () => {
  for (const unit of ['a', 'ab', 'abcdefgh', 'x1'])
    expect(weaknessOf(unit.repeat(256).slice(0, 255).concat('z'), ada)).toBe('pattern');
});
