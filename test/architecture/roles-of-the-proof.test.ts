import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { consumers, operations } from '../../functions/domains.ts';
import { kebabCase } from '../../lib/contract/kebab-case.ts';
import { changesTables, ofKind, type Uses } from '../../lib/contract/uses.ts';

/** docs/security/roles.md says of each role that can change the proof of consent what it could do in wrong hands. */

const root = new URL('../..', import.meta.url).pathname;
const document = readFileSync(join(root, 'docs/security/roles.md'), 'utf8');
const [, section = ''] = /\n## The proof of consent, role by role\n([\s\S]*)$/.exec(document) ?? [];
const rows = section.split('\n').filter((line) => line.startsWith('| '));
const firstCells = rows.map((line) => line.split(' | ')[0] ?? '');
const named = new Set(firstCells.flatMap((cell) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name]) => name ?? '')));

const proof = ['ConsentRecords', 'ConsentStates', 'ConsentReceipts', 'Accounts', 'Erasures', 'LegalHolds'];

function touchesProof(uses: Uses): boolean {
  const rows = uses.filter((use) => 'table' in use && proof.includes(use.table.name));
  const signs = ofKind(uses, 'signingKey').some(({ access }) => access !== 'verify');
  const puts = ofKind(uses, 'bucket').some((use) => use.bucket.name === 'Evidence' && use.access !== 'list');
  return changesTables(rows) || signs || puts;
}

const functions: { id: string; uses: Uses }[] = [
  ...operations.map(({ id, route }) => ({ id, uses: route.uses ?? [] })),
  ...consumers.map(({ id, consumer }) => ({ id, uses: consumer.uses ?? [] })),
];
const touching = functions.filter(({ uses }) => touchesProof(uses)).map(({ id }) => kebabCase(id));

test('the table has each role that writes rows of the proof, stores evidence or signs', () => {
  expect(touching.length).toBeGreaterThan(15);
  expect(touching.filter((name) => !named.has(name))).toEqual([]);
});

test('the table has no role that does not exist', () => {
  const names = functions.map(({ id }) => kebabCase(id));
  expect([...named].filter((name) => !names.includes(name))).toEqual([]);
});
