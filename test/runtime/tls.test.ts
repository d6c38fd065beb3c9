import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failureOf } from '../../lib/runtime/failure.ts';
import { fetchKeys, KeysUnavailable } from '../../lib/runtime/jwks.ts';
import { callLimits } from '../../lib/runtime/limits.ts';
import { describeError } from '../../lib/runtime/log.ts';
import { selfSigned } from '../bench/certificate.ts';

/** A server that would answer rightly; nobody signed its certificate. Requests that it got. */
const requests: string[] = [];
const server = createServer(selfSigned(), (request, response) => {
  requests.push(String(request.url));
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{"keys":[]}');
});
let address = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  address = `https://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

describe('a server whose certificate no known authority signed', () => {
  test('gives no keys, and the log names the cause', async () => {
    const error = await fetchKeys(address).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(KeysUnavailable);
    expect(describeError(error)).toMatchObject({ name: 'KeysUnavailable', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(requests).toEqual([]);
  });

  test('gets no request of a client of AWS: the caller gets UNAVAILABLE', async () => {
    const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' };
    const client = new DynamoDBClient({ ...callLimits, endpoint: address, region: 'eu-central-1', credentials });
    const asked = client.send(new GetItemCommand({ TableName: 'Users', Key: { id: { S: 'a' } } }));
    const error = await asked.catch((thrown: unknown) => thrown);
    expect(describeError(error)).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(failureOf(error).code).toBe('UNAVAILABLE');
    expect(requests).toEqual([]);
  });
});
