import { isToCome } from '../../../lib/contract/instant.ts';
import { isNaming } from '../../../lib/contract/revision.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { ifAbsent, ifChangeIs, ifUnchanged } from '../../../lib/runtime/conditions.ts';
import { all, inPartition, only } from '../../../lib/runtime/key-range.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { get, put, query, remove } from '../../../lib/runtime/rows.ts';
import { type Device, isSameDevice, newestKey, type Owner, type TokenOwner, tokenKeysOf } from '../rules/device.ts';
import type { Devices, DeviceTokens } from '../tables.ts';

/**
 * Table `Devices` has a row for each device, and `DeviceTokens` whose a token and an endpoint are. The latter's rows change
 * with a device's row and in the same transaction, so that a device's `revision` vouches for them, too.
 */

export type DeviceTable = { Devices: Devices<'get'> };
export type OwnersTable = { DeviceTokens: DeviceTokens<'get'> };

export type WritingTables = {
  Devices: Devices<'put' | 'remove'>;
  DeviceTokens: DeviceTokens<'put' | 'remove'>;
};

export type RemovingTables = {
  Devices: Devices<'remove'>;
  DeviceTokens: DeviceTokens<'remove'>;
};

/** Strongly consistent, as is every read here. */
export async function readDevice(tables: DeviceTable, { userId, deviceId }: Owner): Promise<Device | null> {
  return get(tables.Devices, { userId, deviceId });
}

/** In the order of their ids. */
export async function readDevices(
  table: Devices<'query'>,
  userId: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ devices: Device[]; next: string | null }> {
  const query = inPartition({ userId }, { deviceId: all }, after);
  const { rows: devices, next } = await queryPage(table, query, limit);
  return { devices, next };
}

/** As many as there are: few. */
export function readAllDevices(table: Devices<'query'>, userId: string): Promise<Device[]> {
  return queryAll(table, inPartition({ userId }));
}

/**
 * @param at ISO 8601 @returns whether the user has a phone that was registered before. One of a time to come counts, too, and so do rows
 * of more than a megabyte: else whoever may write them would keep a message from the phone. Where the clock can be set, so does each phone
 * that a later time registered.
 */
export async function hadDeviceBefore(table: Devices<'query'>, userId: string, at: string): Promise<boolean> {
  const asked = only(inPartition({ userId }), ['registeredAt']);
  const { Items = [], LastEvaluatedKey } = await query<Pick<Device, 'registeredAt'>>(table, asked);
  const isBefore = ({ registeredAt }: Pick<Device, 'registeredAt'>) =>
    registeredAt < at || isToCome(registeredAt, new Date());
  return LastEvaluatedKey !== undefined || Items.some(isBefore);
}

const namesOfOwner = ['revision', 'userId', 'deviceId'] as const;

/** Whose these tokens and endpoints are, each with what its row says; null where nobody has it, also by a row that no honest function writes. */
export type Owners = ReadonlyMap<string, TokenOwner | null>;

export async function readOwners(tables: OwnersTable, keys: readonly string[]): Promise<Owners> {
  const read = async (tokenKey: string): Promise<[string, TokenOwner | null]> => {
    const row = await get(tables.DeviceTokens, { tokenKey });
    return [tokenKey, row && namesOfOwner.every((name) => isNaming(row[name])) ? row : null];
  };
  return new Map(await Promise.all(keys.map(read)));
}

/** The devices, other than this one, that have any of it. */
export async function readOthers(tables: DeviceTable, owners: Owners, self: Owner): Promise<Device[]> {
  const others: Owner[] = [];
  for (const owner of owners.values()) {
    if (owner && ![self, ...others].some((known) => isSameDevice(known, owner))) others.push(owner);
  }
  const devices = await Promise.all(others.map((owner) => readDevice(tables, owner)));
  return devices.filter((device) => device !== null);
}

/** The user's last new device, before it is read how many there are; null where there was none yet. */
export async function readNewest(tables: OwnersTable, userId: string): Promise<string | null> {
  const row = await get(tables.DeviceTokens, { tokenKey: newestKey(userId) });
  return isNaming(row?.revision) ? row.revision : null;
}

/** All that was read and decided on: nothing is written where anything of it has changed since. `newest` of a device that is new. */
export type Move = { before: Device | null; others: readonly Device[]; owners: Owners; newest: string | null };

/**
 * Writes the device, and with it that token and endpoint are its own: the devices that had them are gone.
 *
 * @returns false, and nothing is written, where somebody else was first
 */
export async function writeDevice(
  tables: WritingTables,
  device: Device,
  { before, others, owners, newest }: Move,
): Promise<boolean> {
  const { userId, deviceId, revision } = device;
  const taken = tokenKeysOf(device);
  const left = new Set([...(before ? [before] : []), ...others].flatMap(tokenKeysOf));
  for (const key of taken) left.delete(key);
  const unchanged = before ? ifUnchanged({ revision: before.revision }) : ifAbsent('userId');
  return commit([
    put(tables.Devices, device, unchanged),
    ...others.map((other) => removal(tables, other)),
    ...taken.map((tokenKey) => {
      const row = { tokenKey, userId, deviceId, revision };
      const read = owners.get(tokenKey)?.revision ?? null;
      return put(tables.DeviceTokens, row, ifChangeIs('tokenKey', namesOfOwner, read));
    }),
    ...[...left].map((tokenKey) => remove(tables.DeviceTokens, { tokenKey })),
    ...(before ? [] : [nextNewest(tables, device, newest)]),
  ]);
}

/** If two new devices of a user come at once, one is first, and the other is decided again. */
function nextNewest(
  tables: Pick<WritingTables, 'DeviceTokens'>,
  { userId, deviceId, revision }: Device,
  newest: string | null,
) {
  const row = { tokenKey: newestKey(userId), userId, deviceId, revision };
  return put(tables.DeviceTokens, row, ifChangeIs('tokenKey', ['revision'], newest));
}

/** @returns false, and writes nothing, if the device was registered again since it was read */
export async function removeDevice(tables: RemovingTables, device: Device): Promise<boolean> {
  return commit([
    removal(tables, device),
    ...tokenKeysOf(device).map((tokenKey) => remove(tables.DeviceTokens, { tokenKey })),
  ]);
}

function removal(tables: Pick<RemovingTables, 'Devices'>, { userId, deviceId, revision }: Device) {
  return remove(tables.Devices, { userId, deviceId }, ifUnchanged({ revision }));
}
