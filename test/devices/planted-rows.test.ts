import { randomUUID } from 'node:crypto';
import type { SNSClient } from '@aws-sdk/client-sns';
import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { endpointKey, hashOfToken, newestKey, tokenKeysOf } from '../../functions/devices/rules/device.ts';
import { readAllDevices, readOwners } from '../../functions/devices/stores/device-rows.ts';
import { register, unregister } from '../../functions/devices/workflows/registration.ts';
import { readOwner } from '../../functions/push/stores/endpoints.ts';
import { putRow } from '../../lib/runtime/rows.ts';
import { localTables } from '../local-tables.ts';

/** Rows of tokens that no honest function writes: on the local DynamoDB. */

const { tables } = await localTables(['Devices', 'DeviceTokens']);

const said = { platform: 'android', environment: 'production', appVersion: '1.0', locale: 'de' } as const;
const clients = { sns: {} as SNSClient };

test.each([
  ['nothing', {}],
  ['an empty revision', { userId: 'u', deviceId: 'd', revision: '' }],
  ['a revision that is a number', { userId: 'u', deviceId: 'd', revision: NumberValue.from('100000000000000000001') }],
  ['no user', { deviceId: 'd', revision: 'r' }],
  ['an empty user', { userId: '', deviceId: 'd', revision: 'r' }],
])(
  'a row of a token, or of the newest phone, that says %s keeps no phone from being registered',
  async (_case, row) => {
    const [userId, token] = [randomUUID(), randomUUID()];
    const keys = tokenKeysOf({ tokenHash: hashOfToken({ ...said, token }), endpointArn: null });
    for (const tokenKey of [newestKey(userId), ...keys]) await putRow(tables.DeviceTokens, { tokenKey, ...row });
    const endpointArn = randomUUID();
    await putRow(tables.DeviceTokens, { tokenKey: endpointKey(endpointArn), ...row, revision: 'r', userId: '' });
    expect(await readOwner(tables.DeviceTokens, endpointArn)).toBeNull();
    const registration = { ...said, token };
    const wanted = { userId, deviceId: 'phone', registration, applications: {}, now: new Date() };
    const { device } = await register(clients, tables, wanted);
    expect(await readAllDevices(tables.Devices, userId)).toEqual([device]);
    expect([...(await readOwners(tables, keys)).values()]).toMatchObject([{ userId, deviceId: 'phone' }]);
    await unregister(clients, tables, { userId, deviceId: 'phone' });
    expect(await readAllDevices(tables.Devices, userId)).toEqual([]);
  },
);
