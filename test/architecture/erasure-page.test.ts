import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { consumers, operations } from '../../functions/domains.ts';
import { Erasures } from '../../functions/erasure/tables.ts';
import { Evidence } from '../../functions/evidence/buckets.ts';
import { kebabCase } from '../../lib/contract/kebab-case.ts';
import { changesTables, ofKind } from '../../lib/contract/uses.ts';

/** docs/erasure.md says who writes the rows and the evidence of erasures: what the functions declare. */

const page = readFileSync(new URL('../../docs/erasure.md', import.meta.url), 'utf8');
const all = [
  ...operations.map(({ id, route }) => ({ name: kebabCase(id), uses: route.uses ?? [] })),
  ...consumers.map(({ id, consumer }) => ({ name: kebabCase(id), uses: consumer.uses ?? [] })),
];
const namesIn = (text: string) => [...text.matchAll(/`([a-z]+(?:-[a-z]+)+)`/g)].map(([, name]) => name);
/** What the functions of the erasure put, and below which prefix. */
const eraseAndRelease = all.flatMap(({ name, uses }) =>
  changesTables(uses.filter((use) => 'table' in use && use.table.name === Erasures.name))
    ? ofKind(uses, 'bucket').flatMap((use) =>
        use.bucket.name === Evidence.name && 'prefix' in use && use.access !== 'list'
          ? [[name, use.prefix] as const]
          : [],
      )
    : [],
);
const sorted = (names: Iterable<string | undefined>) => [...new Set(names)].toSorted();

test('the functions that write rows', () => {
  const writers = all.filter(({ uses }) =>
    changesTables(uses.filter((use) => 'table' in use && use.table.name === Erasures.name)),
  );
  const [sentence = ''] = /Seven functions can write rows[^.]*\./.exec(page) ?? [];
  expect(sorted(namesIn(sentence))).toEqual(sorted(writers.map(({ name }) => name)));
  expect(writers).toHaveLength(7);
});

const writersBelow = (prefix: string) =>
  all.filter(({ uses }) =>
    ofKind(uses, 'bucket').some(
      (use) => use.bucket.name === Evidence.name && 'prefix' in use && use.access !== 'list' && use.prefix === prefix,
    ),
  );

test('the same functions log states, and nobody else does', () => {
  expect(page).toContain('the seven also log each state below `erasures/`');
  const writers = writersBelow('erasures/');
  const [sentence = ''] = /Seven functions can write rows[^.]*\./.exec(page) ?? [];
  expect(sorted(writers.map(({ name }) => name))).toEqual(sorted(namesIn(sentence)));
  // "Routes and two other functions may add states there."
  const routes = operations.map(({ id }) => kebabCase(id));
  expect(page).toContain('Routes and two other functions may\nadd states there');
  expect(writers.filter(({ name }) => !routes.includes(name))).toHaveLength(2);
});

test('each prefix of erasures has its writers in the table', () => {
  const [, table = ''] = /\n## The evidence\n([\s\S]*?)\n## /.exec(page) ?? [];
  const inTable = [...table.matchAll(/^\| `([a-z-]+\/)/gm)].map(([, prefix]) => prefix);
  const held = [...eraseAndRelease].map(([, prefix]) => prefix).filter((prefix) => prefix !== 'erasures/');
  expect(sorted(inTable)).toEqual(sorted(held));
});

test.each(['erasure-requests/', 'erasure-begun/', 'erasure-decisions/', 'tombstones/'])(
  'the functions that write below %s',
  (prefix) => {
    const writers = writersBelow(prefix);
    const rows = page.split('\n').filter((line) => line.startsWith(`| \`${prefix}`));
    const said = rows.flatMap((row) => namesIn(row.split('|')[2] ?? ''));
    expect(sorted(said)).toEqual(sorted(writers.map(({ name }) => name)));
  },
);
