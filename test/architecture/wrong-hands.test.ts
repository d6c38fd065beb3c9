import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { holders, rightsByTable, withRight } from '../../bin/table-rights.ts';
import { consumers, operations, ownedTables } from '../../functions/domains.ts';
import { ofKind } from '../../lib/contract/uses.ts';
import { type Kind, kinds, type PageRow, page, rowsOf, statesOf, tableRows } from './wrong-hands-page.ts';

/** docs/security/roles.md: what each role could do in wrong hands, and that whoever finds it is somebody else. */

const all = holders({ operations, consumers });
const named = new Map(all.map((each) => [each.name, each]));
const rights = rightsByTable(all);
const others = rowsOf('others');

const attackersOf = (table: string): Record<Kind, string[]> => {
  const functions = rights.get(table);
  return {
    // An update makes the row that is not there.
    new: withRight(functions, 'put', 'update', 'adjust'),
    over: withRight(functions, 'put', 'update', 'adjust'),
    removal: withRight(functions, 'delete'),
  };
};

/** What the text says before `open:`: the functions that find it. */
const findersIn = ({ found }: PageRow) =>
  [...(found.split('open:')[0] ?? '').matchAll(/`([a-z]+(?:-[a-z]+)+)`/g)].map(([, name = '']) => name);

/** In what is said of a right or a table, each of these begins a statement. */
const beginnings = /^(within [^:]+: |by [^:]+[,:.] ?|by [\w ’]+[.,]|at [^:]+: |open: |no harm: |prevented$)/;

describe('the page', () => {
  test('has every table, and a sentence in each of its cells', () => {
    expect([...tableRows.keys()].toSorted()).toEqual(ownedTables.map(({ table: { name } }) => name).toSorted());
    expect(others.length).toBeGreaterThan(40);
    for (const { name, cells } of [...tableRows.values(), ...others]) expect(cells, name).not.toContain('');
  });

  test('says of each what becomes of an attack: prevented exactly where no function may', () => {
    for (const [name, row] of tableRows) {
      const states = statesOf(row);
      const attackers = attackersOf(name);
      for (const kind of kinds) {
        expect(['prevented', 'discovered', 'open'], `${name} ${kind}`).toContain(states[kind]);
        expect(states[kind] === 'prevented', `${name} ${kind}`).toBe(attackers[kind].length === 0);
      }
    }
  });

  test('says who finds it and how soon, or that it is open and what it would take', () => {
    for (const row of [...tableRows.values(), ...others]) expect(row.found, row.name).toMatch(beginnings);
    for (const row of tableRows.values()) {
      const states = Object.values(statesOf(row));
      if (states.includes('open')) expect(row.found, row.name).toContain('open: ');
      expect(/\bwithin /.test(row.found), row.name).toBe(states.includes('discovered'));
      for (const [, what] of row.found.matchAll(/open: ([^;.]*)/g)) expect(what, row.name).not.toBe('');
    }
    expect(page).not.toMatch(/nothing notices|nobody notices|not detected|undetected/i);
  });

  test('names functions and tests that exist', () => {
    const texts = [...tableRows.values(), ...others].flatMap(({ could, found }) => [could, found]);
    const functions = texts.flatMap((text) =>
      [...text.matchAll(/`([a-z]+(?:-[a-z]+)+)`/g)].map(([, name = '']) => name),
    );
    expect([...new Set(functions)].filter((name) => !named.has(name))).toEqual([]);
    const tests = [...page.matchAll(/`(test\/[\w/-]+(?:\.[\w.]+)?)`/g)].map(([, path = '']) => path);
    expect(tests.filter((path) => !existsSync(new URL(`../../${path}`, import.meta.url)))).toEqual([]);
  });

  test('begins with ten whose roles exist', () => {
    const [, section = ''] = /\n## The worst ten\n([\s\S]*?)\n## /.exec(page) ?? [];
    const rows = section.split('\n').filter((line) => /^\| \d/.test(line));
    expect(rows).toHaveLength(10);
    for (const row of rows) {
      const roles = [...(row.split('|')[2] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
      expect(roles.length, row).toBeGreaterThan(0);
      expect(roles.filter((name) => !named.has(name))).toEqual([]);
      expect(row.split('|')[4]?.trim(), row).toMatch(beginnings);
    }
  });
});

test('what a role does is found by another one, which tells people', () => {
  const tells = (name: string) => ofKind(named.get(name)?.uses, 'operators').length > 0;
  const alone = [...tableRows.values()].flatMap((row) => {
    const states = statesOf(row);
    const attackers = attackersOf(row.name);
    const watched = kinds.filter((kind) => states[kind] === 'discovered').flatMap((kind) => attackers[kind]);
    const finders = findersIn(row).filter(tells);
    const unfound = watched.filter((attacker) => !finders.some((finder) => finder !== attacker));
    return [...new Set(unfound)].map((attacker) => `${row.name}: nobody but ${attacker} finds what ${attacker} does`);
  });
  expect(alone).toEqual([]);
});
