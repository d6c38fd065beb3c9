import { request } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { startDynamoDb } from '../../../lib/local/dynamodb/front.ts';
import { signedHeaders } from '../../../lib/local/service/signature.ts';

/** The stage's DynamoDB takes what is signed with its secret, under its own name, whoever's key it is. */

const database = await startDynamoDb({ verifiesCalls: true });
afterAll(() => database.close());

const target = 'DynamoDB_20120810.ListTables';
const signed = (accessKeyId: string, body = '{}', at = new Date()) =>
  signedHeaders({ endpoint: database.url, region: 'eu-central-1', accessKeyId, target }, body, at);

function send(headers: Record<string, string>, body = '{}'): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const call = request(database.url, { method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    call.on('error', reject).end(body);
  });
}

test('a call that is signed', async () => {
  for (const key of ['LOCALADMINISTRATOR', 'LOCAL0123456789ABCDE']) {
    expect((await send(signed(key))).status).toBe(200);
  }
});

test.each<[string, (headers: Record<string, string>) => Record<string, string>, string?]>([
  [
    'with another secret',
    (headers) => ({ ...headers, Authorization: `${headers.Authorization?.slice(0, -64)}${'0'.repeat(64)}` }),
  ],
  ['of another body', (headers) => headers, '{"Limit":1}'],
  ['of another call', (headers) => ({ ...headers, 'X-Amz-Target': 'DynamoDB_20120810.DeleteTable' })],
  ['of another day', (headers) => ({ ...headers, 'X-Amz-Date': '20200101T000000Z' })],
  ['for another host', (headers) => ({ ...headers, Host: 'evil.example' })],
  ['for nobody', ({ Authorization: _gone, ...headers }) => headers],
])('not one %s', async (_, change, body) => {
  const { status, text } = await send(change(signed('LOCALADMINISTRATOR')), body);
  expect(status).toBe(400);
  expect(text).toMatch(/InvalidSignature|MissingAuthenticationToken/);
});

test.each([
  [-6, 400],
  [-4, 200],
  [4, 200],
  [6, 400],
])('one that was signed %i minutes from now is answered %i', async (minutes, status) => {
  const at = new Date(Date.now() + minutes * 60_000);
  expect((await send(signed('LOCALADMINISTRATOR', '{}', at))).status).toBe(status);
});

test('nor one whose own name resolves here, however it is signed', async () => {
  const headers = signedHeaders(
    { endpoint: 'http://evil.example', region: 'eu', accessKeyId: 'LOCALADMINISTRATOR', target },
    '{}',
  );
  expect((await send({ ...headers, Host: 'evil.example' })).text).toContain('InvalidSignature');
});
