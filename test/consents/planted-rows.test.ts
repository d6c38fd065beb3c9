import { randomUUID } from 'node:crypto';
import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import type { ConsentState } from '../../functions/access/consent-states.ts';
import { decideAgreement, decideRevocation } from '../../functions/consents/rules/consent.ts';
import { partitionOf } from '../../functions/consents/rules/record.ts';
import { readRecords, readState } from '../../functions/consents/stores/consent-rows.ts';
import { recordChange } from '../../functions/consents/workflows/record-change.ts';
import { putRow } from '../../lib/runtime/rows.ts';
import { localTables } from '../local-tables.ts';

/** Whoever may write the ledger or its pointers swallows no revocation. */

const { tables } = await localTables(['ConsentRecords', 'ConsentStates']);
const now = new Date('2026-12-01T12:00:00.000Z');
const shown = { versionId: 'marketing-1.0', contentHash: 'c'.repeat(64), locale: 'en', appVersion: null } as const;
const many = NumberValue.from('1000000000000000000000000000000');
const toCome = '2099-01-01T00:00:00.000Z';

async function agreed() {
  const owner = { userId: randomUUID(), agreementId: 'marketing' };
  const change = (decide: Parameters<typeof recordChange>[1]['decide']) =>
    recordChange(
      tables,
      { ...owner, now, requestId: 'request', decide, ledger: tables.ConsentRecords },
      { id: randomUUID, pause: async () => {} },
    );
  await change((state) => decideAgreement(state, { ...shown, localeSource: 'negotiated' }, []));
  const pointer = (await readState(tables.ConsentStates, owner)) as ConsentState;
  return {
    pointer,
    revoke: () => change((state) => decideRevocation(state, [])),
    record: (recordedAt: string, more: object) =>
      putRow(tables.ConsentRecords, { userAgreement: partitionOf(owner), recordedAt, ...more }),
    point: (more: object) => putRow(tables.ConsentStates, { ...pointer, ...more }),
    state: () => readState(tables.ConsentStates, owner),
    last: async () => (await readRecords(tables.ConsentRecords, owner, { limit: 9, after: null })).records[0],
  };
}

test.each<[string, object]>([
  ['with a sequence of many digits', { sequence: many }],
  ['with a hash that is such a number', { hash: many }],
  ['with such a time', { recordedAt: many }],
  ['with a sequence that is a list', { sequence: [many] }],
  ['with only its key', { sequence: undefined, recordedAt: undefined, hash: undefined }],
  ['that says it is revoked', { action: 'revoked', sequence: 2, recordedAt: toCome }],
])('a pointer %s is followed by the revocation of its record', async (_what, planted) => {
  const one = await agreed();
  const row = Object.entries({ ...one.pointer, ...planted }).filter(([, value]) => value !== undefined);
  await one.point({});
  await putRow(tables.ConsentStates, Object.fromEntries(row));
  await one.revoke();
  const last = await one.last();
  expect(last).toMatchObject({ action: 'revoked', sequence: 2, previousHash: one.pointer.hash });
  expect(await one.state()).toMatchObject({ action: 'revoked', hash: last?.hash });
});

test('a record of a time to come dates no revocation, and a repeated one writes nothing', async () => {
  const one = await agreed();
  await one.record(toCome, { ...one.pointer, recordedAt: toCome, sequence: 2, hash: 'planted' });
  const at = await one.revoke();
  expect(Date.parse(at ?? '')).toBeLessThan(now.getTime() + 60_000);
  expect(await one.state()).toMatchObject({ action: 'revoked', sequence: 2, recordedAt: at });
  expect(await one.revoke()).toBe(at);
});

test('behind so many planted rows that nobody can look through them, the pointer decides; or it is not said to be revoked', async () => {
  const one = await agreed();
  for (let number = 10; number < 26; number += 1) {
    await one.record(`2026-12-02T00:00:${number}.000Z`, { fill: 'x'.repeat(390_000) });
  }
  await one.revoke();
  expect(await one.state()).toMatchObject({ action: 'revoked', sequence: 2 });
  await one.point({ action: 'revoked' });
  await expect(one.revoke()).rejects.toMatchObject({ error: { code: 'UNAVAILABLE' } });
});
