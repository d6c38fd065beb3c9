import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConsentRecord } from '../../functions/access/consent-states.ts';
import { agreementKey } from '../../functions/agreements/rules/catalogue-keys.ts';
import { stateAt } from '../../functions/consents/rules/state-at.ts';
import { readStateAt } from '../../functions/consents/workflows/read-state-at.ts';
import { accountPart } from '../../lib/contract/accounts.ts';
import { readAccount } from '../../lib/runtime/accounts.ts';
import { createTables, handlesNamed } from '../tables.ts';
import { openLedger } from './ledger.ts';

/** The answers to other services, by hosts whose clocks differ. */

const second = (number: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, number));

describe('the rule', () => {
  const record = { action: 'agreed', recordedAt: second(10).toISOString() } as ConsentRecord;
  const of = (ends: number[], past: number | null, now: number) =>
    stateAt({
      record,
      ends: ends.map((end) => second(end).toISOString()),
      past: past === null ? null : second(past).toISOString(),
      now: second(now),
    });

  test.each<[string, Parameters<typeof of>, { agreed: boolean; at: number; ended: boolean }]>([
    ['with an account', [[], null, 20], { agreed: true, at: 20, ended: false }],
    ['before the end of the account', [[30], 29, 40], { agreed: true, at: 29, ended: false }],
    ['at the very end of it', [[30], 30, 40], { agreed: false, at: 30, ended: true }],
    ['after it', [[30], null, 40], { agreed: false, at: 40, ended: true }],
    ['when the record is ahead of the clock', [[], null, 5], { agreed: true, at: 10, ended: false }],
    ['when the end is ahead of the clock', [[30], null, 20], { agreed: false, at: 30, ended: true }],
    ['when the account ended before it, and was restored', [[9], null, 20], { agreed: true, at: 20, ended: false }],
    ['between two ends', [[9, 30, 50], 40, 60], { agreed: false, at: 40, ended: true }],
  ])('%s', (_name, asked, { agreed, at, ended }) => {
    expect(of(...asked)).toMatchObject({
      agreed,
      at: second(at).toISOString(),
      record,
      endedAt: ended ? second(30).toISOString() : null,
    });
  });
});

describe('the store', () => {
  let opened: Awaited<ReturnType<typeof openLedger>>;
  const tables = handlesNamed(() => opened.client, ['ConsentRecords', 'Agreements', 'Accounts']);
  beforeAll(async () => {
    opened = await openLedger();
    await createTables(opened.client, ['Agreements', 'Accounts']);
    const Item = { application: 'sleepcare', catalogueKey: agreementKey('marketing'), agreementId: 'marketing' };
    await opened.client.send(new PutCommand({ TableName: 'Agreements', Item }));
  });
  afterAll(() => opened.close());

  const askedOf = (userId: string) => ({
    application: 'sleepcare',
    userId,
    agreementId: 'marketing',
    account: () => readAccount({ table: tables.Accounts, userId }),
  });

  async function revoked(clock: Date) {
    const ledger = opened.ledger(() => clock);
    await ledger.agree();
    await ledger.revoke();
    const records = await ledger.records();
    const userId = records[0]?.userId ?? '';
    const ask = (now: Date, at?: string) => readStateAt(tables, { ...askedOf(userId), at, now });
    return { userId, records, ask };
  }

  test('a revocation by a host whose clock is ahead is seen by the next call of another', async () => {
    const { records, ask } = await revoked(second(10));
    const [agreed, last] = records;
    const behind = second(9);
    for (const at of [undefined, behind.toISOString(), '2999-01-01T00:00:00Z']) {
      expect(await ask(behind, at)).toMatchObject({ agreed: false, record: last, at: last?.recordedAt });
    }
    // In one millisecond both: the second one's time is a millisecond ahead of its own clock.
    expect(await ask(second(10))).toMatchObject({ agreed: false, record: last, at: last?.recordedAt });
    expect(await ask(second(11), agreed?.recordedAt)).toMatchObject({ agreed: true, record: agreed });
    expect(await ask(second(11), second(9).toISOString())).toMatchObject({ agreed: false, record: null });
    expect(await ask(second(11))).toMatchObject({ agreed: false, at: second(11).toISOString() });
  });

  test('a consent that ended with the account is answered with its last record', async () => {
    const ledger = opened.ledger(() => second(10));
    await ledger.agree();
    const userId = (await ledger.records())[0]?.userId ?? '';
    const ask = () => {
      return readStateAt(tables, { ...askedOf(userId), at: undefined, now: second(60) });
    };
    expect(await ask()).toMatchObject({ agreed: true, endedAt: null });
    const endedAt = second(30).toISOString();
    const Item = { userId, part: accountPart, isClosed: true, ends: [endedAt] };
    await opened.client.send(new PutCommand({ TableName: tables.Accounts.name, Item }));
    expect(await ask()).toMatchObject({ agreed: false, endedAt, record: { action: 'agreed' } });
  });
});
