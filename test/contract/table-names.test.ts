import { describe, expect, test } from 'vitest';
import { knownParts, listedTables, listVariable, namesIn } from '../../lib/contract/table-names.ts';

const tables = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `Things${index}` }));

test('the first tables have a variable each', () => {
  expect(listedTables(tables(8))).toEqual([]);
  expect(listedTables(tables(9))).toEqual([{ name: 'Things8' }]);
});

test('another list has another variable', () => {
  const [one, other, ...more] = tables(20);
  const lists = [[one, other], [other, one], [one], [one, other, ...more]].map((list) => list.flatMap((x) => x ?? []));
  expect(new Set(lists.map(listVariable)).size).toBe(4);
  for (const list of lists) expect(listVariable(list)).toMatch(/^TABLES_[0-9a-f]{1,8}$/);
  expect(listVariable(tables(3))).toBe(listVariable(tables(3)));
});

describe('a name', () => {
  const table = { name: 'SleepEntries' };
  /** As CloudFormation does it: lib/stack/bindings.ts. */
  const short = (name: string) =>
    knownParts('dev', table).reduce((value, [mark, text]) => value.split(text).join(mark), name);

  test.each([
    ['of CloudFormation', 'MobileHealth-dev-State-SleepEntriesTable-RLEE166B5JOB', '~State!RLEE166B5JOB'],
    ['with a shortened part', 'MobileHealth-dev-Sta-SleepEntriesTab-RLEE166B5JOB', '~Sta-SleepEntriesTab-RLEE166B5JOB'],
    ['of a restored table', 'restored.2026_SleepEntries', 'restored.2026_SleepEntries'],
    ['of another environment', 'MobileHealth-prod-State-SleepEntriesTable-X', 'MobileHealth-prod-State!X'],
    ['with a part twice', 'MobileHealth-dev-MobileHealth-dev-X', '~~X'],
  ])('%s is the same after its short form', (_, name, expected) => {
    expect(short(name)).toBe(expected);
    expect(namesIn(short(name), [table], 'dev')).toEqual([name]);
  });
});
