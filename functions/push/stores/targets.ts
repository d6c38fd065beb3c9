import { get } from '../../../lib/runtime/rows.ts';
import { type Device, isReachable, mostDevices, type Owner, type Reachable } from '../../devices/rules.ts';
import type { Devices } from '../../devices/tables.ts';
import { listDevices } from './devices.ts';

/** The devices, as delivery sees them. Reads are strongly consistent: a token that was given up gets nothing more. */

/** @returns the ids of a user's devices that can be sent to, no more than a user may have */
export async function reachableDevices(table: Devices<'query'>, userId: string): Promise<string[]> {
  const devices = (await listDevices(table, userId)).filter(isReachable);
  // Several registrations at once may leave more than the limit: the devices that were used last get the push.
  const newest = devices.toSorted((one, other) => (one.renewedAt > other.renewedAt ? -1 : 1));
  return newest.slice(0, mostDevices).map(({ deviceId }) => deviceId);
}

/** The device as it is by now; null where it is gone or cannot be sent to any more. */
export async function readTarget(
  table: Devices<'get'>,
  { userId, deviceId }: Owner,
): Promise<Reachable<Device> | null> {
  const device = await get(table, { userId, deviceId });
  return device && isReachable(device) ? device : null;
}
