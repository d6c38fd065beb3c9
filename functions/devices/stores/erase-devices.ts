import { transact } from '../../../lib/runtime/commit.ts';
import type { Eraser, EraserDependencies } from '../../../lib/runtime/eraser.ts';
import { inPartition, isPossibleKey, only } from '../../../lib/runtime/key-range.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { remove } from '../../../lib/runtime/rows.ts';
import { runAllThenThrow } from '../../../lib/runtime/run-all-then-throw.ts';
import { type Device, endpointKey, isSameDevice, newestKey, tokenKeysOf } from '../rules/device.ts';
import type { Devices } from '../tables.ts';
import { type OwnersTable, type RemovingTables, readOwners } from './device-rows.ts';
import { deleteEndpoint } from './endpoints.ts';

type EraseTables = RemovingTables & OwnersTable;
type Erased = Pick<Device, 'userId' | 'deviceId' | 'tokenHash' | 'endpointArn'>;

/** Each device of a user's, with its endpoint and with what says whose its token is. */
export const eraseDevices: Eraser<EraseTables & { Devices: Devices<'query'> }> = async (to, { userId }) => {
  // Others may fill the rest of a row: all rows together would not fit into memory.
  const asked = only(inPartition({ userId }), ['userId', 'deviceId', 'tokenHash', 'endpointArn']);
  const devices = queryEach<Erased>(to.tables.Devices, asked);
  await runAllThenThrow(partsOf(devices, (device) => eraseDevice(to, device)));
  await transact([remove(to.tables.DeviceTokens, { tokenKey: newestKey(userId) })]);
};

async function* partsOf(devices: AsyncIterable<Erased>, erase: (device: Erased) => Promise<void>) {
  for await (const device of devices) yield ['device', () => erase(device)] as const;
}

/** The endpoint first: it is found by the row. */
async function eraseDevice({ sns, tables }: EraserDependencies<EraseTables>, device: Erased): Promise<void> {
  const keys = tokenKeysOf(device).filter((key) => isPossibleKey(key, ''));
  const owners = await readOwners(tables, keys);
  // After a restore a row may be of a phone that has another user now.
  const owned = [...owners].filter(([, owner]) => owner && isSameDevice(owner, device)).map(([tokenKey]) => tokenKey);
  const { endpointArn } = device;
  if (endpointArn !== null && owned.includes(endpointKey(endpointArn))) await deleteEndpoint(sns, endpointArn);
  await removeOwned(tables, device, owned);
}

async function removeOwned(
  tables: RemovingTables,
  { userId, deviceId }: Erased,
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
