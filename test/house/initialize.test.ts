import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { consumers, operations } from '../../functions/domains.ts';
import { tableReadAtInit } from '../../lib/runtime/initialize.ts';

/** A function that waits for a table ends with the work at init (decision 19); one that does not says nothing of it. */

const root = join(import.meta.dirname, '../..');
const functions = [
  ...operations.map(({ id, file, route }) => ({ id, file, table: tableReadAtInit(route) })),
  ...consumers.map(({ id, file, consumer }) => ({ id, file, table: tableReadAtInit(consumer) })),
];

test.each(functions)('$file: $table', ({ id, file, table }) => {
  const source = readFileSync(join(root, file), 'utf8');
  const calls = source.match(/^.*\binitialize\(.*$/gm) ?? [];
  const last = source.trimEnd().split('\n\n').at(-1);
  expect(calls).toHaveLength(table ? 1 : 0);
  if (table) expect(last).toMatch(new RegExp(`^await initialize\\(${id}(, \\{[^]*\\})?\\);$`));
});

test('both kinds are there', () => {
  expect(functions.filter(({ table }) => table).length).toBeGreaterThan(30);
  expect(functions.filter(({ table }) => !table).length).toBeGreaterThan(3);
});
