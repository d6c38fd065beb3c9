import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cellRulesOf,
  decideCells,
  type Rule,
  smallest,
  type Values,
} from '../../functions/research-exports/rules/cells.ts';

const many = (count: number, values: Values) => Array.from({ length: count }, () => values);
const timezone = (smallCells: Rule['smallCells']) => ({ field: 'timezone', smallCells });
const locale = (smallCells: Rule['smallCells']) => ({ field: 'locale', smallCells });
const berlin = { timezone: 'Europe/Berlin' };
const vienna = { timezone: 'Europe/Vienna' };
const lima = { timezone: 'America/Lima' };

describe('values that fewer than five participants have', () => {
  test('stay where there are five', () => {
    const found = decideCells([timezone('generalise')], [...many(5, berlin), ...many(5, vienna)]);
    expect(found).toMatchObject({ levels: { timezone: 0 }, suppressed: 0, isRefused: false });
    expect(found.values).toEqual([...many(5, berlin), ...many(5, vienna)]);
  });

  test('generalise: the coarser value for all, no coarser than is needed', () => {
    const found = decideCells([timezone('generalise')], [...many(5, berlin), ...many(4, vienna)]);
    expect(found.levels).toEqual({ timezone: 1 });
    expect(found.values).toEqual(many(9, { timezone: 'Europe' }));
  });

  test('generalise: none at all where also the coarser one is rare', () => {
    const found = decideCells([timezone('generalise')], [...many(9, berlin), lima]);
    expect(found).toMatchObject({ levels: { timezone: 2 }, isRefused: false });
    expect(found.values).toEqual(many(10, { timezone: null }));
  });

  test('suppress: left out for those few, and there for the others', () => {
    const found = decideCells([timezone('suppress')], [...many(9, berlin), lima]);
    expect(found).toMatchObject({ levels: { timezone: 0 }, suppressed: 1, isRefused: false });
    expect(found.values).toEqual([...many(9, berlin), { timezone: null }]);
  });

  test('refuse: there is no export', () => {
    expect(decideCells([timezone('refuse')], [...many(9, berlin), lima]).isRefused).toBe(true);
    expect(decideCells([timezone('refuse')], many(9, berlin)).isRefused).toBe(false);
  });

  test('are those of all fields together', () => {
    const rows = [...many(5, { ...berlin, locale: 'de' }), ...many(4, { ...berlin, locale: 'en' })];
    expect(decideCells([timezone('refuse'), locale('refuse')], rows).isRefused).toBe(true);
    const found = decideCells([timezone('refuse'), locale('suppress')], rows);
    expect(found).toMatchObject({ suppressed: 4, isRefused: false });
    expect(found.values.slice(5)).toEqual(many(4, { ...berlin, locale: null }));
  });

  test('a group counts where it is not declared, too: of one person it is left out', () => {
    const rows = [...many(5, { ...berlin, group: 'A' }), { ...berlin, group: 'B' }];
    for (const declared of [[], [timezone('generalise')], [timezone('refuse')]]) {
      const found = decideCells(cellRulesOf(declared), rows);
      expect([declared, found.values.map(({ group }) => group)]).toEqual([
        declared,
        [...many(5, { group: 'A' }).map(({ group }) => group), null],
      ]);
      expect(found).toMatchObject({ suppressed: 1, isRefused: false });
    }
    const own: Rule = { field: 'group', smallCells: 'refuse' };
    expect(cellRulesOf([own])).toEqual([own]);
    expect(decideCells(cellRulesOf([]), many(1, { group: null })).suppressed).toBe(0);
  });

  test('no quasi-identifier, no cell', () => {
    expect(decideCells([], many(1, {}))).toMatchObject({ isRefused: false, values: [{}] });
  });

  test('whatever is declared: what is left tells no fewer than five apart', () => {
    const rule = fc.constantFrom('generalise', 'suppress', 'refuse');
    const value = fc.record({
      timezone: fc.constantFrom('Europe/Berlin', 'Europe/Vienna', 'Asia/Tokyo', null),
      locale: fc.constantFrom('de', 'de-AT', 'en-GB', null),
      group: fc.constantFrom('A', 'B', null),
    });
    fc.assert(
      fc.property(fc.tuple(rule, rule, rule), fc.array(value, { maxLength: 60 }), ([one, two, three], rows) => {
        const rules = [timezone(one), locale(two), { field: 'group', smallCells: three }];
        const { values, isRefused } = decideCells(rules, rows);
        expect(values.length).toBe(rows.length);
        if (isRefused) expect([one, two, three]).toContain('refuse');
        for (const shown of isRefused ? [] : values) {
          const known = rules.filter(({ field }) => shown[field] !== null);
          const isAlike = (other: Values) =>
            known.every(
              ({ field, smallCells }) =>
                other[field] === shown[field] || (smallCells === 'suppress' && other[field] === null),
            );
          if (known.length > 0) expect(values.filter(isAlike).length).toBeGreaterThanOrEqual(smallest);
        }
      }),
      { numRuns: 300 },
    );
  });
});
