import { expect, test } from 'vitest';
import { consumers, operations } from '../../functions/domains.ts';
import { accessLogChangesPrefix, auditChangesPrefix } from '../../functions/evidence/buckets.ts';
import { usesOfErasure } from '../../functions/generated/erased-tables.ts';
import { ofKind, reading, type Uses } from '../../lib/contract/uses.ts';

/** Decision 64 rests on who writes the two tables and the evidence about them: functions only append, and nobody deletes. */

const watched = ['AuditEvents', 'AccessLog'];

const functions: { id: string; uses: Uses }[] = [
  ...operations.map(({ id, route, dataSubject }) => ({
    id,
    uses: [...(route.uses ?? []), ...(dataSubject?.uses ?? [])],
  })),
  ...consumers.map(({ id, consumer }) => ({ id, uses: consumer.uses })),
];

test.each(watched)('functions append to %s, and change it in no other way', (name) => {
  const accesses = functions.flatMap(({ uses }) =>
    ofKind(uses, 'table').flatMap(({ table, access }) => (table.name === name ? [access] : [])),
  );
  expect(accesses.filter((access) => access === 'append').length).toBeGreaterThan(40);
  expect(accesses.filter((access) => access !== 'append' && !reading.includes(access))).toEqual([]);
  expect(usesOfErasure.filter((use) => 'table' in use).map(({ table }) => table.name)).not.toContain(name);
});

test('only the watchers put evidence of it, and they use nothing else but the message to people', () => {
  const puts = (prefix: string) =>
    functions.filter(({ uses }) => ofKind(uses, 'bucket').some((use) => 'prefix' in use && use.prefix === prefix));
  for (const [id, prefix] of [
    ['watchAuditEvents', auditChangesPrefix],
    ['watchAccessLog', accessLogChangesPrefix],
  ] as const) {
    expect(puts(prefix).map((each) => each.id)).toEqual([id]);
    expect(puts(prefix)[0]?.uses).toMatchObject([{ access: 'log', prefix }, { operators: 'tell' }]);
  }
});
