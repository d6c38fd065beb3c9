import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { declarations } from '../../functions/domains.ts';
import { root } from '../../lib/bundle/root.ts';

/** The names of a range are those of a table's key: where a row's type is stated, the compiler does not ask. */

test('every range names the key of a table', () => {
  const keys = declarations.tables.map(({ partitionKey, sortKey }) => `${partitionKey} ${sortKey}`);
  const partitions = declarations.tables.map(({ partitionKey }) => partitionKey as string);
  const files = globSync(['functions/*/**/*.ts', 'lib/runtime/*.ts'], { cwd: root });
  const found = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const calls = text.matchAll(/\binPartition\(\s*\{ (\w+)[^{}]*\}(?:,\s*\{ (\w+))?/g);
    return [...calls].map(([, partition = '', sort]) => ({ file, partition, sort }));
  });
  expect(found.length).toBeGreaterThan(80);
  const isOne = ({ partition, sort }: (typeof found)[number]) =>
    sort === undefined ? partitions.includes(partition) : keys.includes(`${partition} ${sort}`);
  expect(found.filter((range) => !isOne(range))).toEqual([]);
});
