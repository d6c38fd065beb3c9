import { S3Client } from '@aws-sdk/client-s3';
import { DeleteEndpointCommand, type SNSClient } from '@aws-sdk/client-sns';
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { type Device, registered, tokenKeysOf } from '../../functions/devices/rules/device.ts';
import { eraseDevices } from '../../functions/devices/stores/erase-devices.ts';
import { localTables } from '../local-tables.ts';

const { client: dynamo, tables } = await localTables(['Devices', 'DeviceTokens']);

const put = (TableName: string, Item: object) => dynamo.send(new PutCommand({ TableName, Item }));
const rows = async (TableName: string) => (await dynamo.send(new ScanCommand({ TableName }))).Items ?? [];

async function deviceOf(userId: string, token: string): Promise<Device> {
  const said = { platform: 'ios', token, environment: 'production', appVersion: '2.3.1', locale: 'de' } as const;
  const at = { userId, deviceId: token, endpointArn: `arn:${token}`, now: new Date(), revision: userId };
  const device = registered(null, said, at);
  await put('Devices', device);
  for (const tokenKey of tokenKeysOf(device)) {
    await put('DeviceTokens', { tokenKey, userId, deviceId: token, revision: userId });
  }
  return device;
}

test('a phone that has another owner by now keeps its endpoint and its keys; those of the erased person go', async () => {
  await deviceOf('seller', 'sold');
  await deviceOf('seller', 'kept');
  // The row of the seller is there as a restore brings it back: the buyer has registered since.
  const bought = await deviceOf('buyer', 'sold');
  const deleted: unknown[] = [];
  const send = async (command: unknown) => {
    if (command instanceof DeleteEndpointCommand) deleted.push(command.input.EndpointArn);
  };
  const deps = {
    sns: { send } as unknown as SNSClient,
    s3: new S3Client({ region: 'eu-central-1' }),
    buckets: {},
    tables,
  };
  await eraseDevices(deps, { userId: 'seller', erasedAt: new Date().toISOString() });
  expect(deleted).toEqual(['arn:kept']);
  expect(await rows('Devices')).toEqual([bought]);
  expect((await rows('DeviceTokens')).map(({ tokenKey }) => tokenKey).sort()).toEqual(tokenKeysOf(bought).sort());
});
