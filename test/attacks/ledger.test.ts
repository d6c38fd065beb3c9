import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ConsentRecord } from '../../functions/consents/rules/record.ts';
import { appendRecords } from '../../functions/consents/stores/consent-rows.ts';
import { historyOf } from '../ledger/histories.ts';
import { attackedHouse } from './house.ts';

/** The consent ledger, attacked with the rights of single functions. */

const house = attackedHouse();
const yearMs = 365 * 86_400_000;
const about = (found: readonly { userId: string | null; kind: string }[], userId: string) =>
  found.filter((finding) => finding.userId === userId).map(({ kind }) => kind);

/** A chain, put by a role as its function would put it. */
async function plant(operation: string, chain: readonly ConsentRecord[]): Promise<void> {
  const tables = { ConsentRecords: house.table('ConsentRecords'), ConsentStates: house.table('ConsentStates') };
  for (const record of chain) {
    expect(await appendRecords(house.as(operation).dynamo, tables, [record], randomUUID())).toBe(true);
  }
}

describe('backdating', () => {
  test.each(['agree', 'agree-to-versions', 'revoke-consent'])('a chain of two years ago, by %s', async (operation) => {
    await house.stage().runSchedule('write-checkpoint');
    const userId = randomUUID();
    await plant(operation, historyOf(2, userId, 'marketing', { from: Date.now() - 2 * yearMs }));
    expect(about(await house.verify(), userId)).toEqual(['record-backdated', 'record-backdated']);
    await house.stage().runSchedule('write-checkpoint');
    expect(about(await house.verify(), userId)).toEqual(['record-backdated', 'record-backdated']);
  });

  test('the same as an import, for which no function can sign', async () => {
    const userId = randomUUID();
    await plant('agree', historyOf(1, userId, 'marketing', { from: Date.now() - 2 * yearMs, source: 'imported' }));
    expect(about(await house.verify(), userId)).toEqual(['import-unsigned']);
    const arn = house.output('ImportKeyArn');
    const signers = house
      .stage()
      .model()
      .principals.filter(({ statements }) => JSON.stringify(statements).includes(arn));
    expect(signers).toEqual([]);
  });
});
