import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operations } from '../../functions/domains.ts';

/** The table of docs/performance.md has every route; what it says is measured by test/contract/examples.slow.test.ts. */

const page = readFileSync(new URL('../../docs/performance.md', import.meta.url), 'utf8');
const [, part = ''] = page.split(/<!-- \/?round trips -->/);
const rows = new Map(
  [...part.matchAll(/^\| (\w+)(, [^|]+)? \| [^|]+ \| (\S+) \| (\d+) \|$/gm)].map(([, id = '', more = '', ...trips]) => [
    `${id}${more}`,
    trips,
  ]),
);

test('each route has a row in the table of round trips', () => {
  const told = new Set([...rows.keys()].map((name) => name.replace(/,.*/, '')));
  const how = 'npm run test:slow -- test/contract/examples.slow.test.ts -u writes the table';
  expect(told, how).toEqual(new Set(operations.map(({ id }) => id)));
});

test('agreeing and revoking are two, also where the clock is read', () => {
  for (const name of ['agree', 'agreeToVersions', 'revokeConsent, of a consent'])
    expect(rows.get(name)).toEqual(['2', '2']);
});
