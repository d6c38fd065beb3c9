import { transact } from '../../../lib/runtime/commit.ts';
import type { Eraser, EraserDependencies } from '../../../lib/runtime/eraser.ts';
import { inPartition } from '../../../lib/runtime/key-range.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { remove } from '../../../lib/runtime/rows.ts';
import { runAllThenThrow } from '../../../lib/runtime/run-all-then-throw.ts';
import { type Device, endpointKey, isSameDevice, newestKey, tokenKeysOf } from '../rules/device.ts';
import type { Devices } from '../tables.ts';
import { type OwnersTable, type RemovingTables, readOwners } from './device-rows.ts';
import { deleteEndpoint } from './endpoints.ts';

type EraseTables = RemovingTables & OwnersTable;

/** Each device of a user's, with its endpoint and with what says whose its token is. */
export const eraseDevices: Eraser<EraseTables & { Devices: Devices<'query'> }> = async (to, { userId }) => {
  const devices = await queryAll(to.tables.Devices, inPartition({ userId }));
  await runAllThenThrow(devices.map((device) => ['device', () => eraseDevice(to, device)]));
  await transact([remove(to.tables.DeviceTokens, { tokenKey: newestKey(userId) })]);
};

/** The endpoint first: it is found by the row. */
async function eraseDevice({ sns, tables }: EraserDependencies<EraseTables>, device: Device): Promise<void> {
  const owners = await readOwners(tables, tokenKeysOf(device));
  // After a restore a row may be of a phone that has another user now.
  const owned = [...owners].filter(([, owner]) => owner && isSameDevice(owner, device)).map(([tokenKey]) => tokenKey);
  const { endpointArn } = device;
  if (endpointArn !== null && owned.includes(endpointKey(endpointArn))) await deleteEndpoint(sns, endpointArn);
  await removeOwned(tables, device, owned);
}

async function removeOwned(
  tables: RemovingTables,
  { userId, deviceId }: Device,
  owned: readonly string[],
): Promise<void> {
  const own = {
    ConditionExpression: 'attribute_not_exists(tokenKey) OR (userId = :userId AND deviceId = :deviceId)',
    ExpressionAttributeValues: { ':userId': userId, ':deviceId': deviceId },
  };
  await transact([
    remove(tables.Devices, { userId, deviceId }),
    ...owned.map((tokenKey) => remove(tables.DeviceTokens, { tokenKey }, own)),
  ]);
}
