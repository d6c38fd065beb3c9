import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { codeCounted, tryCounted } from '../../functions/auth/stores/sign-in-tries.ts';
import { localTables } from '../local-tables.ts';

/** Whoever knows the password and has many addresses guesses codes of an authenticator app. */

const { client: dynamo, tables } = await localTables(['SignInTries']);
const table = tables.SignInTries;

const from = (username: string, at: number) => ({
  table,
  secret: ['a secret'] as const,
  application: 'sleepcare',
  username,
  sourceIp: `192.0.2.${at}`,
});
const said = (outcome: string) => async () => ({ outcome });

/** @returns the outcome, and with how many wrong codes the owner would be told */
async function code(username: string, at: number, outcome: string) {
  const told: number[] = [];
  const counted = from(username, at);
  const tell = async (failures: number) => void told.push(failures);
  const answer = await tryCounted(counted, () => codeCounted(counted, said(outcome), tell));
  return [answer.outcome, ...told];
}

test('twenty wrong codes of an account are compared, however many addresses they come from, and each is told', async () => {
  for (let index = 1; index <= 20; index += 1)
    expect(await code('one', index, 'wrong-code')).toEqual(['wrong-code', index]);
  expect(await code('one', 99, 'tokens')).toEqual(['locked']);
  expect(await code('other', 99, 'tokens')).toEqual(['tokens']);
  // Whoever met the lock has used up nothing of the address.
  for (let index = 0; index < 12; index += 1) expect(await code('one', 99, 'tokens')).toEqual(['locked']);
  // The password still gets the owner as far as the code.
  expect((await tryCounted(from('one', 99), said('totp'))).outcome).toBe('totp');
});

test('only wrong codes count, and a right one clears them', async () => {
  for (let index = 1; index < 20; index += 1) await code('two', index, 'wrong-code');
  for (let index = 30; index < 60; index += 1) expect(await code('two', index, 'refused')).toEqual(['refused']);
  const failing = codeCounted(
    from('two', 61),
    () => Promise.reject(new Error('the pool is down')),
    async () => undefined,
  );
  await expect(failing).rejects.toThrow('the pool is down');
  expect(await code('two', 62, 'tokens')).toEqual(['tokens']);
  expect(await code('two', 63, 'wrong-code')).toEqual(['wrong-code', 1]);
});

test.each([
  ['no time', { last: 'x' }],
  ['no number of changes', { revision: 'x' }],
  ['changes below one', { revision: -1 }],
  ['no changes', { revision: 0 }],
  ['as many changes as nobody can increase', { revision: Number.MAX_SAFE_INTEGER }],
  ['no failures', { failures: undefined }],
])('a row with %s, which no honest function writes, locks nobody and is replaced', async (name, planted) => {
  expect(await code(name, 1, 'wrong-code')).toEqual(['wrong-code', 1]);
  const { Items = [] } = await dynamo.send(new ScanCommand({ TableName: 'SignInTries', ConsistentRead: true }));
  for (const row of Items)
    await dynamo.send(new PutCommand({ TableName: 'SignInTries', Item: { ...row, failures: 20, ...planted } }));
  expect(await code(name, 1, 'wrong-code')).toEqual(['wrong-code', 1]);
  expect(await code(name, 1, 'wrong-code')).toEqual(['wrong-code', 2]);
});
