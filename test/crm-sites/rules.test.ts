import { describe, expect, test } from 'vitest';
import type { CareRelation } from '../../functions/access/data-subject.ts';
import { decideJoin, mostSites, optionalFieldDefaults, type Site } from '../../functions/crm-sites/rules/site.ts';
import { codeAlphabet, newCode } from '../../functions/crm-sites/rules/site-code.ts';
import { isLocked, type Tries, triesAfter } from '../../functions/crm-sites/rules/tries.ts';

describe('a code', () => {
  test('has eight characters, each drawn from all of the alphabet', () => {
    let drawn = 0;
    const code = newCode((below) => {
      expect(below).toBe(codeAlphabet.length);
      drawn += 1;
      return drawn;
    });
    expect([drawn, code]).toEqual([8, codeAlphabet.slice(1, 9)]);
  });

  test('has no characters that look or sound alike', () => {
    for (const alike of ['0O', '1IL', '2Z', '5S', '8B']) {
      expect([...alike].filter((each) => codeAlphabet.includes(each))).toEqual([]);
    }
    expect(new Set(codeAlphabet).size).toBe(codeAlphabet.length);
  });
});

describe('wrong codes', () => {
  const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1) + minutes * 60_000);
  const typed = (wrongAt: readonly number[]) =>
    wrongAt.reduce<Tries | null>(
      (tries, minutes) =>
        triesAfter(tries, { userId: 'u', changeId: `${minutes}`, realNow: at(minutes), isWrong: true }),
      null,
    );
  const minutes = (count: number) => Array.from({ length: count }, (_, index) => index);

  test.each([
    ['none', [], 0, false],
    ['nine', minutes(9), 9, false],
    ['ten', minutes(10), 10, true],
    ['ten, just before the first is an hour old', minutes(10), 59.99, true],
    ['ten, when the first is an hour old', minutes(10), 60, false],
    ['ten over more than an hour', [0, 10, 20, 30, 40, 50, 60, 70, 80, 90], 91, false],
  ])('%s', (_name, wrongAt, now, locked) => expect(isLocked(typed(wrongAt), at(now))).toBe(locked));

  test('a join does not count as a wrong code, and tries older than an hour are forgotten', () => {
    const joined = triesAfter(typed(minutes(10)), { userId: 'u', changeId: 'c', realNow: at(65), isWrong: false });
    expect(joined.wrong).toEqual([6, 7, 8, 9].map((minute) => at(minute).toISOString()));
    expect(joined.expiresAt).toBe(at(125).getTime() / 1000);
  });
});

describe('a patient who wants to join a site', () => {
  const site: Site = {
    ...optionalFieldDefaults,
    siteId: 's',
    name: 'S',
    timezone: 'UTC',
    status: 'open',
    code: 'TRYTHEAP',
    createdAt: '2026-01-01T00:00:00.000Z',
    revision: 1,
  };
  const relation = { userId: 'u', siteId: 's', since: '2026-01-01T00:00:00.000Z' };
  const full: CareRelation[] = Array.from({ length: mostSites }, (_, index) => ({ ...relation, siteId: `s-${index}` }));
  const closed: Site = { ...site, status: 'closed' };
  const byCode = { siteId: null, code: 'TRYTHEAP' };
  const named = { siteId: 's', code: 'TRYTHEAP' };
  const wrong = { siteId: 's', code: 'AAAAAAAA' };
  const seen = { site, relations: [], isLocked: false };

  test.each([
    ['with the code', byCode, seen, 'join'],
    ['with the code of that site', named, seen, 'join'],
    ['with another code', wrong, seen, 'wrong'],
    ['with a code that is nobody’s', byCode, { ...seen, site: null }, 'wrong'],
    ['of a closed site', byCode, { ...seen, site: closed }, 'wrong'],
    ['whose code was renewed just now', byCode, { ...seen, site: { ...site, code: 'AAAAAAAA' } }, 'wrong'],
    ['after ten wrong codes', byCode, { ...seen, isLocked: true }, 'locked'],
    ['after ten wrong codes, with another', wrong, { ...seen, isLocked: true }, 'locked'],
    ['with as many sites as can be', byCode, { ...seen, relations: full }, 'full'],
    ['with as many sites as can be, and a wrong code', wrong, { ...seen, relations: full }, 'wrong'],
    ['again', byCode, { ...seen, relations: [relation] }, 'known'],
    ['again, with a code that was renewed', wrong, { ...seen, relations: [relation] }, 'known'],
    ['again, when it is closed', named, { ...seen, site: closed, relations: [relation] }, 'known'],
    ['again, after ten wrong codes', named, { ...seen, relations: [relation], isLocked: true }, 'known'],
    ['again, as the last of all', named, { ...seen, relations: [...full, relation] }, 'known'],
  ])('%s', (_name, wish, found, kind) => expect(decideJoin(wish, found).kind).toBe(kind));
});
