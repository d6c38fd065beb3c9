import { randomUUID } from 'node:crypto';
import { type DynamoDBDocumentClient, NumberValue, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { readConsents, readPerson } from '../../functions/access/reads.ts';
import { dataSharing } from '../../functions/product.ts';
import { accountPart } from '../../lib/contract/accounts.ts';
import type { Table } from '../../lib/contract/tables.ts';
import { handleOf } from '../../lib/runtime/table-handle.ts';
import { consentRows, putConsent } from '../consented.ts';
import { localTables } from '../local-tables.ts';

/** A consent counts if its pointer and the newest record of its chain are the same: what that means at each moment. */

let sent: string[] = [];
/** Done before the next call of this name is sent. */
let before: Partial<Record<string, () => Promise<unknown>>> = {};
/** Answers the next calls of this name in their place. */
let failing: { readonly name: string; readonly error: Error; times: number } | null = null;
let doubts: string[] = [];

const { client: dynamo } = await localTables(['CareRelations', 'ConsentStates', 'ConsentRecords', 'Accounts'], {
  maxAttempts: 1,
});
dynamo.middlewareStack.add(
  (next, context) => async (args) => {
    const name = String(context.commandName).replace('Command', '');
    const act = before[name];
    delete before[name];
    await act?.();
    sent.push(name);
    if (failing?.name === name && failing.times > 0) {
      failing.times -= 1;
      throw failing.error;
    }
    return next(args);
  },
  { step: 'initialize' },
);
beforeEach(() => {
  [sent, before, failing, doubts] = [[], {}, null, []];
});

const put = (TableName: string, Item: Record<string, unknown>) => dynamo.send(new PutCommand({ TableName, Item }));
const handlesOf =
  (client: DynamoDBDocumentClient) =>
  <T extends Table>(table: T) =>
    handleOf<T>(client, table.name);
const reads = () => ({
  handleOf: handlesOf(dynamo),
  inDoubt: ({ userId }: { readonly userId: string }) => void doubts.push(userId),
});
const read = (userId: string) => readPerson(reads(), userId, dataSharing);
const revoked = (userId: string) => putConsent(put, { userId, action: 'revoked', sequence: 2 });

async function patient(sequence = 1): Promise<string> {
  const userId = randomUUID();
  await put('CareRelations', { userId, siteId: 'north', since: '2026-01-01T00:00:00.000Z' });
  for (let number = 1; number <= sequence; number += 1) {
    await putConsent(put, { userId, action: number % 2 === 1 ? 'agreed' : 'revoked', sequence: number });
  }
  sent = [];
  return userId;
}

test('who is with more sites than anybody can be is with none, and costs one Query', async () => {
  const userId = await patient();
  for (let number = 0; number < 40; number += 1)
    await put('CareRelations', { userId, siteId: `planted-${number}`, since: '2026-01-01T00:00:00.000Z' });
  sent = [];
  expect(await read(userId)).toMatchObject({ sites: [], consent: null });
  expect(sent.filter((name) => name === 'Query')).toHaveLength(2);
});

test('a consent that both say costs no second look', async () => {
  const userId = await patient();
  expect(await read(userId)).toMatchObject({ consent: { recordId: consentRows({ userId }).ConsentStates.recordId } });
  expect([sent.includes('TransactGetItems'), doubts]).toEqual([false, []]);
});

describe('around an honest commit', () => {
  test.each(['Get', 'Query'])('what is read before a revocation and what is read after it (%s last)', async (last) => {
    const userId = await patient();
    // The Query of the sites comes first, so the revocation is in between for one of the two reads.
    const other = last === 'Get' ? 'Query' : 'Get';
    const read = reads();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const client = holding(last, held, other, async () => {
      await revoked(userId);
      release();
    });
    const person = await readPerson({ ...read, handleOf: handlesOf(client) }, userId, dataSharing);
    expect(person).toMatchObject({ consent: null, isInDoubt: false });
    expect([sent.includes('TransactGetItems'), doubts]).toEqual([true, []]);
  });

  test('it goes on changing: each look is a new one, and the last state counts', async () => {
    const userId = await patient();
    await put('ConsentRecords', consentRows({ userId, action: 'revoked', sequence: 2 }).ConsentRecords);
    // The pointer follows only before the second look, and a third record before it.
    before.TransactGetItems = async () => {
      await put('ConsentStates', consentRows({ userId, action: 'agreed', sequence: 3 }).ConsentStates);
      before.TransactGetItems = () => put('ConsentRecords', consentRows({ userId, sequence: 3 }).ConsentRecords);
    };
    expect(await read(userId)).toMatchObject({ isInDoubt: false, consent: { recordId: expect.stringContaining('3') } });
    expect([sent.filter((name) => name === 'TransactGetItems').length, doubts]).toEqual([2, []]);
  });

  test('a look that a write cancels is taken again; where all are, it is in doubt, and no list is without an answer', async () => {
    const userId = await patient();
    await put('ConsentRecords', consentRows({ userId, action: 'revoked', sequence: 2 }).ConsentRecords);
    const reasons = [{ Code: 'TransactionConflict' }, { Code: 'None' }];
    const error = Object.assign(new Error('no'), {
      name: 'TransactionCanceledException',
      CancellationReasons: reasons,
    });
    failing = { name: 'TransactGetItems', error, times: 1 };
    before.TransactGetItems = () =>
      put('ConsentStates', consentRows({ userId, action: 'revoked', sequence: 2 }).ConsentStates);
    expect(await read(userId)).toMatchObject({ consent: null, isInDoubt: false });
    await put('ConsentRecords', consentRows({ userId, sequence: 3 }).ConsentRecords);
    failing = { name: 'TransactGetItems', error, times: 100 };
    expect(await read(userId)).toMatchObject({ consent: null, isInDoubt: true });
    failing = { name: 'TransactGetItems', error, times: 100 };
    const { consents } = await readConsents(reads(), [userId], dataSharing);
    expect([[...consents], doubts]).toEqual([[], [userId, userId]]);
  });
});

describe('a pointer that was written alone', () => {
  type Forged = Parameters<typeof consentRows>[0];
  const forgeries: readonly [string, number, (userId: string) => Partial<Forged> & Record<string, unknown>][] = [
    ['of a patient who never consented', 0, () => ({})],
    ['the first record again, after the revocation', 2, () => ({ sequence: 1 })],
    ['a next one, after the revocation', 2, () => ({ sequence: 3 })],
    ['the revocation, which says that it agrees', 2, () => ({ sequence: 2 })],
    ['without a time', 2, () => ({ recordedAt: undefined })],
    ['with a time that is no key', 2, () => ({ recordedAt: 'x'.repeat(2000) })],
    ['with a time that is empty', 0, () => ({ recordedAt: '' })],
    ['with a time that is a number', 2, () => ({ recordedAt: 7 })],
    ['with another hash', 1, () => ({ hash: 'another' })],
    ['with another version', 1, () => ({ versionId: 'data-sharing-9.9' })],
  ];

  test.each(forgeries)('%s: in doubt, and counted once', async (_name, length, forge) => {
    const userId = await patient(length);
    const forged = forge(userId);
    const honest = consentRows({ userId, ...(typeof forged.sequence === 'number' && { sequence: forged.sequence }) });
    const row = Object.entries({ ...honest.ConsentStates, ...forged }).filter(([, value]) => value !== undefined);
    await put('ConsentStates', Object.fromEntries(row));
    expect(await read(userId)).toMatchObject({ consent: null, isInDoubt: true, isOpen: true });
    expect(doubts).toEqual([userId]);
    const listed = await readConsents(reads(), [userId], dataSharing);
    expect([[...listed.consents], doubts]).toEqual([[], [userId, userId]]);
  });

  test('or a record of a time to come: what the pointer shows before it counts, and no more than that', async () => {
    const [agreed, withdrawn] = [await patient(), await patient(2)];
    for (const userId of [agreed, withdrawn]) {
      const planted = consentRows({ userId, sequence: 3, recordedAt: '9998-01-01T00:00:00.000Z' });
      await put('ConsentRecords', planted.ConsentRecords);
    }
    expect(await read(agreed)).toMatchObject({ isInDoubt: false, consent: { action: 'agreed' } });
    expect(await read(withdrawn)).toMatchObject({ isInDoubt: false, consent: null });
    const later = consentRows({
      userId: agreed,
      action: 'revoked',
      sequence: 4,
      recordedAt: '9998-01-01T00:00:00.001Z',
    });
    await put('ConsentRecords', later.ConsentRecords);
    expect(await read(agreed)).toMatchObject({ isInDoubt: true, consent: null });
    // An earlier consent again, which has its record.
    await put('ConsentStates', consentRows({ userId: withdrawn }).ConsentStates);
    expect(await read(withdrawn)).toMatchObject({ isInDoubt: true, consent: null });
  });

  test('or a record: the newest one counts, whatever the pointer says', async () => {
    const userId = await patient();
    await put('ConsentRecords', consentRows({ userId, action: 'revoked', sequence: 2 }).ConsentRecords);
    expect(await read(userId)).toMatchObject({ consent: null, isInDoubt: true });
  });

  test('rows that only look like records are passed', async () => {
    const userId = await patient();
    const userAgreement = `${userId}#${dataSharing}`;
    const late = '2999-01-01T00:00:00.000Z';
    await put('ConsentRecords', { userAgreement, recordedAt: late });
    await put('ConsentRecords', {
      userAgreement,
      recordedAt: `${late}.`,
      hash: 'x',
      sequence: NumberValue.from('9007199254740993'),
    });
    expect(await read(userId)).toMatchObject({ consent: {}, isInDoubt: false });
  });

  test.each([
    ['without a hash', { hash: undefined }],
    ['with a sequence that no number is', { sequence: NumberValue.from('9007199254740993') }],
  ])('a record %s is none, also with a pointer that says the same', async (_case, more) => {
    const userId = await patient(2);
    const { ConsentRecords, ConsentStates } = consentRows({ userId, sequence: 3 });
    const whole = (row: object) =>
      Object.fromEntries(Object.entries({ ...row, ...more }).filter(([, value]) => value !== undefined));
    await put('ConsentRecords', whole(ConsentRecords));
    await put('ConsentStates', whole(ConsentStates));
    expect(await read(userId)).toMatchObject({ consent: null, isInDoubt: true });
  });

  test('who has more such rows than anybody reads is in doubt, and the others of a list are not', async () => {
    const [userId, other] = [await patient(), await patient()];
    const userAgreement = `${userId}#${dataSharing}`;
    const rows = Array.from({ length: 101 }, (_, index) => `2999-01-01T00:00:00.${String(index).padStart(3, '0')}Z`);
    await Promise.all(rows.map((recordedAt) => put('ConsentRecords', { userAgreement, recordedAt })));
    sent = [];
    const { consents } = await readConsents(reads(), [userId, other], dataSharing);
    expect([[...consents.keys()], doubts]).toEqual([[other], [userId]]);
    expect(sent.filter((name) => name === 'Query')).toHaveLength(3);
  });

  test.each([{}, 7, 'text', ['9'.repeat(30)], [null]].map((ends) => [ends]))(
    'who has ends that are none (%j) is in doubt, and the others of a list are not',
    async (ends) => {
      const [userId, other] = [await patient(), await patient()];
      await put('Accounts', { userId, part: accountPart, isClosed: false, ends });
      expect(await read(userId)).toMatchObject({ consent: null, isInDoubt: true, isOpen: true });
      const { consents, closed } = await readConsents(reads(), [userId, other], dataSharing);
      expect([[...consents.keys()], closed.size, doubts]).toEqual([[other], 0, [userId, userId]]);
    },
  );

  test('of a closed account nothing is in doubt', async () => {
    const userId = await patient();
    await put('ConsentStates', consentRows({ userId, sequence: 3 }).ConsentStates);
    await put('Accounts', { userId, part: accountPart, isClosed: true, ends: 'x' });
    expect(await read(userId)).toMatchObject({ consent: null, isOpen: false, isInDoubt: false });
    const { closed } = await readConsents(reads(), [userId], dataSharing);
    expect([[...closed], doubts]).toEqual([[userId], []]);
  });
});

/** The client, whose call of this name to the consent's table waits; before the other one is answered, something happens. */
function holding(name: string, until: Promise<void>, other: string, act: () => Promise<unknown>) {
  const isOfConsent = (input: object) => /"Consent/.test(JSON.stringify(input));
  const send = async (command: { readonly input: object; readonly constructor: { readonly name: string } }) => {
    const called = command.constructor.name.replace('Command', '');
    if (!isOfConsent(command.input) || ![name, other].includes(called)) return dynamo.send(command as never);
    if (called === name) await until;
    const answer = await dynamo.send(command as never);
    if (called === other) await act();
    return answer;
  };
  return { send } as unknown as DynamoDBDocumentClient;
}
