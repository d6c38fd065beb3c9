import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { readerOf } from '../../functions/personal-exports/stores/exported-rows.ts';
import { readAllTickets } from '../../functions/support/stores/exported-tickets.ts';
import { handlesNamed } from '../tables.ts';

/** Whoever can write the row of an export could let it go on at anybody's rows. */

const person = { userId: 'mine', application: 'sleepcare', locale: 'en', timeZone: 'UTC' } as const;

/** @returns the commands that reached the database, all of which find a row of the other person */
function asked() {
  const inputs: unknown[] = [];
  const send = async ({ input }: { input: object }) => {
    inputs.push(input);
    const row = { userId: 'other', ticketId: 'of-other' };
    return { Item: row, Items: [row] };
  };
  const dynamo = { send } as unknown as DynamoDBDocumentClient;
  const tables = handlesNamed(dynamo, ['ConsentRecords', 'ConsentStates', 'SupportTickets']);
  return { inputs, from: { tables, environment: 'dev' } as const };
}

test('records of another person are not read', async () => {
  const key = { name: 'ConsentRecords', partitionKey: 'userAgreement' };
  const through = { name: 'ConsentStates', partitionKey: 'userId' };
  const read = readerOf({ table: key, through, fields: ['userId', 'agreementId'] } as never);
  const { inputs, from } = asked();
  const at = (partition: string) => ({ outer: null, partition, inner: { userAgreement: partition, recordedAt: '0' } });
  await expect(read(from as never, person, at('other#data-sharing') as never)).rejects.toThrow('another person');
  await expect(read(from as never, person, at('mine-too#data-sharing') as never)).rejects.toThrow('another person');
  expect(inputs).toEqual([]);
  await read(from as never, person, at('mine#data-sharing') as never);
  expect(inputs).toHaveLength(1);
});

test('comments of the ticket of another person are not read', async () => {
  const { from } = asked();
  const place = { name: 'n', ticketId: 'of-other', comment: '' };
  await expect(readAllTickets(from as never, person, place)).rejects.toThrow('another person');
});
