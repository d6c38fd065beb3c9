import { expect, test } from 'vitest';
import {
  type AccountActs,
  effectOf,
  type FormerAddress,
  type SecureLink,
  withFormer,
} from '../../functions/mail/rules/secure-link.ts';
import { openSecureToken, secureToken } from '../../functions/mail/stores/secure-links.ts';

const day = 86_400_000;
const start = Date.parse('2026-11-28T08:00:00.000Z');
const at = (days: number) => new Date(start + days * day);
const iso = (days: number) => at(days).toISOString();

const link: SecureLink = { application: 'sleepcare', userId: 'u', mailedAt: iso(0), validUntil: iso(7) };
const never: Acts = { securedAt: null, former: [] };
type Acts = Pick<AccountActs, 'securedAt' | 'former'>;

const until = (email: string, days: number) => ({ email, until: iso(days) });
/** Changes from one address to the next, one a day. */
const changes = (...addresses: string[]) =>
  addresses
    .slice(1)
    .reduce<FormerAddress[]>(
      (former, to, index) => withFormer(former, { from: String(addresses[index]), to }, at(index)),
      [],
    );

test.each<[string, SecureLink, Acts, number, unknown]>([
  ['of an account that was never secured', link, never, 0.6, { left: [], restores: null }],
  ['that is a day old', link, never, 1, null],
  ['of a time to come', { ...link, mailedAt: iso(3) }, never, 0.6, null],
  ['mailed after the account was secured', link, { ...never, securedAt: iso(-1) }, 0.6, { left: [], restores: null }],
  ['mailed at the moment at which it was secured', link, { ...never, securedAt: iso(0) }, 0.6, null],
  ['mailed before', link, { ...never, securedAt: iso(0.5) }, 0.6, null],
  ['to an address that cannot be given back', { ...link, restores: 'a' }, never, 0.6, { left: [], restores: null }],
  ['to such an address, a day later', { ...link, restores: 'a' }, never, 1, null],
  ['to such an address of a secured account', { ...link, restores: 'a' }, { ...never, securedAt: iso(0.5) }, 0.6, null],
])('a link %s', (_, given, acts, days, effect) => {
  expect(effectOf(given, acts, at(days))).toEqual(effect);
});

test('a link to a former address works for seven days, and makes void what came later', () => {
  const acts = { securedAt: iso(2), former: changes('a', 'b', 'c') };
  const effect = (restores: string, days: number) => effectOf({ ...link, restores }, acts, at(days));
  expect(effect('b', 3)).toEqual({ left: [until('a', 7)], restores: 'b' });
  expect(effect('a', 3)).toEqual({ left: [], restores: 'a' });
  expect(effect('a', 6.9)).toEqual({ left: [], restores: 'a' });
  expect(effect('a', 7)).toBeNull();
  expect(effect('b', 7)).toEqual({ left: [], restores: 'b' });
  expect(effect('c', 3)).toBeNull();
});

test.each<[string, string[], FormerAddress[]]>([
  [
    'many push out no older one',
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
    ['a', 'b', 'c', 'd', 'e'].map((one, day) => until(one, day + 7)),
  ],
  ['back to the first leaves none', ['a', 'thief', 'a'], []],
  ['back to the second leaves the first', ['a', 'b', 'c', 'b'], [until('a', 7)]],
  ['back and away again begin anew', ['a', 'b', 'a', 'c'], [until('a', 9)]],
])('changes of the address: %s', (_, addresses, former) => {
  expect(changes(...addresses)).toEqual(former);
});

test('a change that is repeated, or comes after a refused one, takes no further place and begins the days anew', () => {
  const refused = [0, 1, 2, 3, 4, 5].reduce<FormerAddress[]>(
    (former, day) => withFormer(former, { from: 'a', to: `taken ${day}` }, at(day)),
    [],
  );
  expect(refused).toEqual([until('a', 12)]);
});

test('addresses of last week are kept no longer', () => {
  expect(withFormer(changes('z', 'a'), { from: 'a', to: 'b' }, at(7))).toEqual([until('a', 14)]);
});

test('a token opens until its time is over, with a key that was replaced, and with no other', () => {
  const [old, current] = ['a'.repeat(64), 'b'.repeat(64)] as const;
  const token = secureToken([old], link);
  expect(openSecureToken([current, old], token, at(6.9))).toEqual(link);
  expect(openSecureToken([current], token, at(0))).toBeNull();
  const altered = token.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'));
  expect(openSecureToken([old], altered, at(0))).toBeNull();
  expect(openSecureToken([old], token, at(7))).toBeNull();
  expect(token).not.toContain('sleepcare');
});
