import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { importsOf, readSources } from '../../bin/source-imports.ts';
import { consumers, operations } from '../../functions/domains.ts';
import { firstCells, sectionOf } from './tables.ts';

/** docs/security/outbound.md lists what functions connect to, and they connect to nothing else. */

const root = new URL('../..', import.meta.url).pathname;
const page = readFileSync(`${root}docs/security/outbound.md`, 'utf8');
const rows = sectionOf(page, 'Functions');
const deployed = [...readSources(root)].filter(([file]) => /^(functions|lib\/runtime|lib\/contract)\//.test(file));
const made = deployed.flatMap(([file, source]) =>
  [...source.matchAll(/new (\w+Client)\(/g)].map(([, name = '']) => ({ file, name })),
);

describe('the page', () => {
  test('has a row for each client of the SDK, and no other row', () => {
    expect(made.length).toBeGreaterThan(8);
    expect(firstCells(rows).toSorted()).toEqual([...new Set(made.map(({ name }) => name))].toSorted());
  });

  test('says how each is declared: the kinds of uses, and no other', () => {
    const named = rows.flatMap((row) => {
      const [, , kinds] = row.split('|');
      return row.startsWith('| `') ? [...(kinds ?? '').matchAll(/`(\w+)`/g)].map(([, kind]) => kind) : [];
    });
    expect([...named, 'secret'].toSorted()).toEqual([...kindsOfUses()].toSorted());
  });
});

test('clients are made in lib/runtime only, and none is told where to connect or whom to trust', () => {
  const files = new Map(deployed);
  for (const { file } of made) {
    expect(file).toMatch(/^lib\/runtime\//);
    expect(files.get(file), file).not.toMatch(/\b(endpoint|region|credentials|tls|ca|rejectUnauthorized|proxy):/i);
  }
});

test('nothing but the key set of the user pools is read without the SDK', () => {
  const ways = /^(node:)?(http|https|http2|net|tls|dgram|dns|dns\/promises|child_process|cluster|worker_threads)$/;
  const importing = deployed.filter(([file, source]) => importsOf(file, source).some(({ to }) => ways.test(to)));
  expect(importing.map(([file]) => file)).toEqual(['lib/runtime/jwks.ts']);
  const calling = deployed.filter(([, source]) => /\b(fetch|WebSocket|EventSource|XMLHttpRequest)\(/.test(source));
  // Clients that are generated from the declarations, and tests, use it; no function does.
  expect(calling.map(([file]) => file)).toEqual(['lib/contract/client.ts']);
  const users = deployed.filter(([file, source]) =>
    importsOf(file, source).some(({ to, typeOnly }) => to === 'lib/contract/client.ts' && !typeOnly),
  );
  expect(users).toEqual([]);
});

/** What says more about a use than its kind. */
const qualifiers = ['access', 'of', 'prefix', 'ringIn'];

function kindsOfUses(): Set<string> {
  const all = [...operations.map(({ route }) => route.uses), ...consumers.map(({ consumer }) => consumer.uses)].flatMap(
    (uses) => uses ?? [],
  );
  return new Set(all.flatMap((use) => Object.keys(use)).filter((key) => !qualifiers.includes(key)));
}
