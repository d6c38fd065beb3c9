import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startStage } from '../../bin/stage.ts';
import type { RunningStage } from '../../lib/local/stage.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { callerAt } from '../caller-at.ts';

/** The first sight of a user where something is wrong: on a stage of its own, whose user pool and rows are the test's. */

const patient = 'patient@example.com';

let stage: RunningStage;
let data: DynamoDBDocumentClient;
let isPoolDown = false;
const asked: string[] = [];
const log: string[] = [];

beforeAll(async () => {
  stage = await startStage({
    rateLimit: false,
    onLog: (_fn, _stream, line) => log.push(line),
    intercept: {
      cognito: ({ action }) => {
        asked.push(action);
        return isPoolDown ? 'error' : undefined;
      },
    },
  });
  const { endpoint, region, credentials } = stage.data;
  data = documentsOf(new DynamoDBClient({ endpoint, region, credentials }));
});
afterAll(async () => {
  data.destroy();
  await stage.close();
});
beforeEach(() => {
  isPoolDown = false;
  asked.length = 0;
});

async function signedIn(user: string) {
  const call = await callerAt(stage, { user });
  return (method: string, body?: object) => call(method, '/users/me', body);
}

const rowOf = async (userId: string) =>
  (await data.send(new GetCommand({ TableName: stage.data.tables('Users'), Key: { userId }, ConsistentRead: true })))
    .Item;

test('while the user pool is down, a stranger is a 503 with Retry-After, and nothing is written', async () => {
  isPoolDown = true;
  const userId = randomUUID();
  const me = await signedIn(userId);
  for (const answer of [await me('GET'), await me('PATCH', { locale: 'de' })]) {
    expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    expect(answer.headers.get('retry-after')).toBe('5');
  }
  expect(await rowOf(userId)).toBe(undefined);
  isPoolDown = false;
  expect((await me('GET')).status).toBe(200);
});

test('while the user pool is down, a known user is answered from the own row', async () => {
  const me = await signedIn(patient);
  const first = await me('GET');
  expect(first).toMatchObject({ status: 200, body: { email: patient } });
  expect(asked).toEqual(['AdminGetUser']);
  isPoolDown = true;
  asked.length = 0;
  expect((await me('GET')).body).toEqual(first.body);
  expect(await me('PATCH', { locale: 'de' })).toMatchObject({ status: 200, body: { email: patient, locale: 'de' } });
  expect(asked).toEqual([]);
});

test('an erased user is 404 for the rest of the token, and never made again', async () => {
  const userId = randomUUID();
  const row = { userId, erasedAt: new Date().toISOString() };
  await data.send(new PutCommand({ TableName: stage.data.tables('Users'), Item: row }));
  const me = await signedIn(userId);
  const answers = await Promise.all([me('GET'), me('PATCH', { locale: 'de' }), me('PATCH', {})]);
  for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } });
  expect(await rowOf(userId)).toEqual(row);
  expect(asked).toEqual([]);
});

test('no address is in a log', async () => {
  const agent = await callerAt(stage, { user: 'agent', roles: 'agent', application: 'medinfo' });
  for (const email of [patient, `nobody+${patient}`, 'no-address-of-example.com']) {
    await agent('GET', `/users?email=${encodeURIComponent(email)}`);
  }
  expect(log.filter((line) => line.includes('GET /users"'))).toHaveLength(3);
  expect(log.join('\n')).not.toContain('example.com');
});
