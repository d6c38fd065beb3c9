import { expect, test } from 'vitest';
import { byVersion, labelled, plottedNames } from '../../bin/report/names.ts';

test('only as many names are in a plot as have room there', () => {
  const points = Array.from({ length: 40 }, (_, index) => ({ version: `2.${index}.0`, devices: 40 - index }));
  const names = plottedNames([...points, { version: 'x'.repeat(64), devices: 100 }], 6);
  expect([...new Set(names.values())]).toEqual([`${'x'.repeat(21)}…`, '2.0.0', '2.1.0', '2.2.0', '2.3.0', 'others']);
  expect(names.size).toBe(41);
  expect([...plottedNames(points.slice(0, 6), 6).values()]).not.toContain('others');
  expect(['2.10.0', '2.9.0', '2.9.0-beta'].toSorted(byVersion)).toEqual(['2.9.0', '2.9.0-beta', '2.10.0']);
  const point = (agreement: string, people: number) => ({ agreement, people });
  const last = [point('a', 60), point('a', 39), point('a', 1), point('b', 2), point('b', 2), point('c', 0)];
  expect(labelled(last)).toEqual([last[0], last[1], last[3]]);
});
