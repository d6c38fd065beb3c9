import { S3Client } from '@aws-sdk/client-s3';
import type { SNSClient } from '@aws-sdk/client-sns';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test, vi } from 'vitest';
import { readEndings } from '../../functions/auth/stores/ended-sessions.ts';
import { endOtherSessions } from '../../functions/auth/stores/session-ends.ts';
import { endInPoolAndList, liveSessions } from '../../functions/auth/stores/sessions.ts';
import { readStates } from '../../functions/consents/stores/consent-rows.ts';
import { hadDeviceBefore } from '../../functions/devices/stores/device-rows.ts';
import { eraseDevices } from '../../functions/devices/stores/erase-devices.ts';
import { expireChains, readChains } from '../../functions/erasure/stores/chains.ts';
import { lastRecordAt } from '../../functions/erasure/stores/last-record.ts';
import { decisionKeys, readDecisions } from '../../functions/questionnaire-responses/stores/decision-rows.ts';
import { eraseQuestionnaireFlags } from '../../functions/questionnaire-responses/stores/erase-flags.ts';
import { flagIdsOfUser } from '../../functions/questionnaire-responses/stores/flag-rows.ts';
import { queryAll } from '../../lib/runtime/query-all.ts';
import { localTables } from '../local-tables.ts';

/**
 * Who may write rows of a person's can fill the partition. What protects the person finds the honest rows among them, and what the others
 * are filled with does not leave DynamoDB. On the local DynamoDB.
 */

const { client, tables } = await localTables([
  'Sessions',
  'EndedSessions',
  'Devices',
  'DeviceTokens',
  'ConsentStates',
  'ConsentRecords',
  'ConsentReceipts',
  'FlagDecisions',
  'QuestionnaireFlags',
]);

const fill = 'x'.repeat(390_000);
const now = new Date();
const at = now.toISOString();
const userId = 'person';

/** The honest row comes behind three pages that are full of others. */
async function plant(
  name: keyof typeof tables,
  partition: object,
  sortKey: string,
  honest: Record<string, string | number>,
  others = 7,
) {
  const rows = Array.from({ length: others }, (_, number) => ({ ...partition, [sortKey]: `!${number}`, fill }));
  for (const row of [...rows, { ...partition, ...honest }]) {
    await client.send(new PutCommand({ TableName: tables[name].name, Item: row }));
  }
}

let received = 0;
const send = client.send.bind(client);
beforeEach(() => {
  received = 0;
  vi.spyOn(client, 'send').mockImplementation(async (command: Parameters<typeof send>[0]) => {
    const answer: object = await send(command);
    received += JSON.stringify(answer).length;
    return answer as never;
  });
});

const few = 10_000;

test('the sessions that live', async () => {
  const row = { createdAt: now.toISOString(), sealedToken: 'sealed', expiresAt: now.getTime() };
  await plant('Sessions', { userId }, 'sessionId', { sessionId: 'own', ...row });
  const found = await liveSessions(tables.Sessions, userId, now);
  expect(found.map(({ sessionId }) => sessionId)).toEqual(['own']);
  expect(received).toBeLessThan(few);
});

test('sessions that more than a query of all rows hides end in the pool', async () => {
  const own = { userId: 'hidden', sessionId: 'own' };
  await plant('Sessions', { userId: own.userId }, 'sessionId', own, 50);
  const deps = { tables, secret: ['secret'], cognito: {} as never, userPool: { id: '', clientId: '' } } as const;
  const signOut = vi.fn(async () => undefined);
  await endOtherSessions(deps, own, 'password', signOut);
  expect(signOut).toHaveBeenCalledOnce();
  const { notBefore = 0 } = await readEndings(tables.EndedSessions, own.userId);
  expect(Math.abs(notBefore - now.getTime() / 1000)).toBeLessThan(120);
  await endInPoolAndList(tables, own.userId, signOut);
  expect(signOut).toHaveBeenCalledTimes(3);
});

test('whether a person had a phone, and the erasure of the phones', async () => {
  await plant('Devices', { userId }, 'deviceId', { deviceId: 'own', tokenHash: 'hash', registeredAt: '2020' });
  await client.send(
    new PutCommand({ TableName: tables.Devices.name, Item: { userId, deviceId: '!long', tokenHash: fill } }),
  );
  expect(await hadDeviceBefore(tables.Devices, userId, now.toISOString())).toBe(true);
  expect(received).toBeLessThan(few);
  const sns = { send: async () => ({}) } as unknown as SNSClient;
  await eraseDevices({ sns, s3: new S3Client({}), buckets: {}, tables }, { userId, erasedAt: now.toISOString() });
  expect(
    await queryAll(tables.Devices, {
      KeyConditionExpression: 'userId = :u',
      ExpressionAttributeValues: { ':u': userId },
    }),
  ).toEqual([]);
});

test('the consents that a person gave, and their end after an erasure', async () => {
  await plant('ConsentStates', { userId }, 'agreementId', { agreementId: 'own', recordedAt: at, sequence: 1 });
  const record = { userAgreement: `${userId}#own`, recordedAt: at, sequence: 1, hash: 'h' };
  await client.send(new PutCommand({ TableName: tables.ConsentRecords.name, Item: record }));
  received = 0;
  expect(await lastRecordAt(tables.ConsentStates, userId)).toBe(at);
  expect(await readChains(tables, userId)).toEqual([
    { agreementId: 'own', records: 1, lastSequence: 1, lastHash: 'h' },
  ]);
  expect(received).toBeLessThan(few);
  expect((await readStates(tables.ConsentStates, userId)).get('own')).toMatchObject({ sequence: 1 });
  await expireChains(tables, { userId, chains: [], recordsExpireAt: '2030-01-01T00:00:00.000Z' });
  expect(await readChains(tables, userId)).toEqual([]);
});

test('what staff decided about flags, and which flags there are', async () => {
  const decision = { flagId: 'own', what: 'acknowledged', at: now.toISOString(), by: 'somebody' };
  await plant('FlagDecisions', { userId }, 'decision', { decision: 'own#acknowledged', ...decision }, 50);
  await plant('QuestionnaireFlags', { part: `user#${userId}` }, 'name', { name: 'own' });
  received = 0;
  expect(await readDecisions(tables.FlagDecisions, { userId, flagId: 'own' })).toEqual([decision]);
  expect(await flagIdsOfUser(tables.QuestionnaireFlags, userId)).toContain('own');
  expect(received).toBeLessThan(few);
  for (const key of ['#x', `${'k'.repeat(1020)}#x`]) {
    await client.send(new PutCommand({ TableName: tables.FlagDecisions.name, Item: { userId, decision: key } }));
    const listed = { part: `user#${userId}`, name: 'n'.repeat(1020) };
    await client.send(new PutCommand({ TableName: tables.QuestionnaireFlags.name, Item: listed }));
  }
  const all = { sns: {} as SNSClient, s3: new S3Client({}), buckets: {}, tables };
  await eraseQuestionnaireFlags(all, { userId, erasedAt: at });
  expect(await decisionKeys(tables.FlagDecisions, userId)).toEqual([]);
  expect(await flagIdsOfUser(tables.QuestionnaireFlags, userId)).toEqual([]);
});
