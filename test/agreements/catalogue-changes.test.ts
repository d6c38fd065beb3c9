import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { agreementCreated } from '../../functions/agreements/audit-actions.ts';
import { changeCatalogue, type Decided, putAgreement } from '../../functions/agreements/stores/catalogue-changes.ts';
import { readCatalogue, readRevision } from '../../functions/agreements/stores/catalogue-reader.ts';
import type { Call, Fault } from '../../lib/local/dynamodb/front.ts';
import { callLimits } from '../../lib/runtime/limits.ts';
import { localTables } from '../local-tables.ts';
import { occasion } from './publish.ts';

async function open(intercept: (call: Call) => Fault | undefined = () => undefined) {
  const { client: dynamo, tables } = await localTables(
    ['Agreements', 'AuditEvents'],
    { maxAttempts: callLimits.maxAttempts },
    { intercept, until: onTestFinished },
  );
  return {
    create: (decide: () => Promise<Decided> = async () => creation()) =>
      changeCatalogue({ tables }, 'sleepcare', occasion(), decide),
    /** How many agreements there are, changes were counted and audit events left. */
    async counts() {
      const { Items: events = [] } = await dynamo.send(new ScanCommand({ TableName: tables.AuditEvents.name }));
      const agreements = await readCatalogue(tables.Agreements, 'sleepcare');
      const { revision = 0 } = (await readRevision(tables.Agreements, 'sleepcare')) ?? {};
      return [agreements.length, revision, events.length];
    },
  };
}

function creation(): Decided {
  const agreementId = randomUUID();
  const agreement = { agreementId, application: 'sleepcare', title: 'T', isRequired: false, position: 1 };
  const audit = { action: agreementCreated, subject: agreementId, before: null, after: agreement };
  return { result: agreementId, change: { items: putAgreement(agreement), audit } };
}

test('of many changes at once each is made completely or not at all', async () => {
  const { create, counts } = await open();
  const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => create()));
  const made = outcomes.filter(({ status }) => status === 'fulfilled').length;
  expect(made).toBeGreaterThan(0);
  expect(await counts()).toEqual([made, made, made]);
  for (const each of outcomes) if (each.status === 'rejected') expect(each.reason.code).toBe('UNAVAILABLE');
});

test('a change with nothing to write writes nothing', async () => {
  const { create, counts } = await open();
  expect(await create(async () => ({ result: 'as it is' }))).toBe('as it is');
  expect(await counts()).toEqual([0, 0, 0]);
});

test('a change with a lost answer is not lost', async () => {
  const { create, counts } = await open(({ action }) =>
    action === 'TransactWriteItems' ? 'lose-response' : undefined,
  );
  await create();
  expect(await counts()).toEqual([1, 1, 1]);
});

test('what fails before it is written is reported, and we do not try it again', async () => {
  const { create, counts } = await open(({ action }) => (action === 'TransactWriteItems' ? 'error' : undefined));
  let decisions = 0;
  const decide = async () => {
    decisions += 1;
    return creation();
  };
  await expect(create(decide)).rejects.toThrow();
  expect(decisions).toBe(1);
  expect(await counts()).toEqual([0, 0, 0]);
});

test('a decision that always meets another change is made again five times', async () => {
  const { create, counts } = await open();
  let decisions = 0;
  const overtaken = create(async () => {
    decisions += 1;
    await create();
    return creation();
  });
  await expect(overtaken).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(decisions).toBe(6);
  expect(await counts()).toEqual([6, 6, 6]);
});
