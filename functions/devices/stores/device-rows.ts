import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { isToCome } from '../../../lib/contract/instant.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { type Device, isSameDevice, newestKey, type Owner, tokenKeysOf } from '../rules/device.ts';

/**
 * Table `Devices` has a row for each device, and `DeviceTokens` whose a token and an endpoint are. The latter's rows change
 * with a device's row and in the same transaction, so that a device's `revision` vouches for them, too.
 */

export type DeviceTables = { Devices: string; DeviceTokens: string };

/** Strongly consistent, as is every read here. */
export async function readDevice(
  client: DynamoDBDocumentClient,
  tables: DeviceTables,
  { userId, deviceId }: Owner,
): Promise<Device | null> {
  const command = new GetCommand({ TableName: tables.Devices, Key: { userId, deviceId }, ConsistentRead: true });
  return ((await client.send(command)).Item as Device | undefined) ?? null;
}

/** In the order of their ids. */
export async function readDevices(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ devices: Device[]; next: string | null }> {
  const query = {
    TableName: table,
    KeyConditionExpression: 'userId = :userId',
    ExpressionAttributeValues: { ':userId': userId },
    ...(after !== null && { ExclusiveStartKey: { userId, deviceId: after } }),
  };
  const { rows: devices, hasMore } = await queryPage<Device>(client, query, limit);
  return { devices, next: hasMore ? (devices.at(-1)?.deviceId ?? null) : null };
}

/** As many as there are: few. */
export function readAllDevices(client: DynamoDBDocumentClient, table: string, userId: string): Promise<Device[]> {
  return queryAll<Device>(client, {
    TableName: table,
    KeyConditionExpression: 'userId = :userId',
    ExpressionAttributeValues: { ':userId': userId },
  });
}

/**
 * @param at ISO 8601 @returns whether the user has a phone that was registered before. One of a time to come counts, too: else whoever may
 * write it would keep a message from the phone. Where the clock can be set, so does each phone that a later time registered.
 */
export async function hadDeviceBefore(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
  at: string,
): Promise<boolean> {
  return (await readAllDevices(client, table, userId)).some(
    ({ registeredAt }) => registeredAt < at || isToCome(registeredAt, new Date()),
  );
}

/** `revision` is the device's at the time it got the token. If it gives the token up and gets it again, the revision is another one. */
type TokenOwner = Owner & { readonly revision: string };

/** Whose these tokens and endpoints are, each with what its row says; null where nobody has it. */
export type Owners = ReadonlyMap<string, TokenOwner | null>;

export async function readOwners(
  client: DynamoDBDocumentClient,
  tables: DeviceTables,
  keys: readonly string[],
): Promise<Owners> {
  const read = async (tokenKey: string): Promise<[string, TokenOwner | null]> => {
    const command = new GetCommand({ TableName: tables.DeviceTokens, Key: { tokenKey }, ConsistentRead: true });
    return [tokenKey, ((await client.send(command)).Item as TokenOwner | undefined) ?? null];
  };
  return new Map(await Promise.all(keys.map(read)));
}

/** The devices, other than this one, that have any of it. */
export async function readOthers(
  client: DynamoDBDocumentClient,
  tables: DeviceTables,
  owners: Owners,
  self: Owner,
): Promise<Device[]> {
  const others: Owner[] = [];
  for (const owner of owners.values()) {
    if (owner && ![self, ...others].some((known) => isSameDevice(known, owner))) others.push(owner);
  }
  const devices = await Promise.all(others.map((owner) => readDevice(client, tables, owner)));
  return devices.filter((device) => device !== null);
}

/** The user's last new device, before it is read how many there are; null where there was none yet. */
export async function readNewest(
  client: DynamoDBDocumentClient,
  tables: DeviceTables,
  userId: string,
): Promise<string | null> {
  const Key = { tokenKey: newestKey(userId) };
  const { Item } = await client.send(new GetCommand({ TableName: tables.DeviceTokens, Key, ConsistentRead: true }));
  return (Item?.revision as string | undefined) ?? null;
}

/** All that was read and decided on: nothing is written where anything of it has changed since. `newest` of a device that is new. */
export type Move = { before: Device | null; others: readonly Device[]; owners: Owners; newest: string | null };

/**
 * Writes the device, and with it that token and endpoint are its own: the devices that had them are gone.
 *
 * @returns false, and nothing is written, where somebody else was first
 */
export async function writeDevice(
  client: DynamoDBDocumentClient,
  tables: DeviceTables,
  device: Device,
  { before, others, owners, newest }: Move,
): Promise<boolean> {
  const { userId, deviceId, revision } = device;
  const taken = tokenKeysOf(device);
  const left = new Set([...(before ? [before] : []), ...others].flatMap(tokenKeysOf));
  for (const key of taken) left.delete(key);
  const unchanged = before
    ? { ConditionExpression: 'revision = :revision', ExpressionAttributeValues: { ':revision': before.revision } }
    : { ConditionExpression: 'attribute_not_exists(userId)' };
  return commit(client, [
    { Put: { TableName: tables.Devices, Item: device, ...unchanged } },
    ...others.map((other) => removal(tables, other)),
    ...taken.map((tokenKey) => {
      const Item = { tokenKey, userId, deviceId, revision };
      return { Put: { TableName: tables.DeviceTokens, Item, ...ownedBy(owners.get(tokenKey) ?? null) } };
    }),
    ...[...left].map((tokenKey) => ({ Delete: { TableName: tables.DeviceTokens, Key: { tokenKey } } })),
    ...(before ? [] : [nextNewest(tables, device, newest)]),
  ]);
}

/** If two new devices of a user come at once, one is first, and the other is decided again. */
function nextNewest(tables: DeviceTables, { userId, deviceId, revision }: Device, newest: string | null) {
  const Item = { tokenKey: newestKey(userId), userId, deviceId, revision };
  const unchanged = newest
    ? { ConditionExpression: 'revision = :newest', ExpressionAttributeValues: { ':newest': newest } }
    : { ConditionExpression: 'attribute_not_exists(tokenKey)' };
  return { Put: { TableName: tables.DeviceTokens, Item, ...unchanged } };
}

/** @returns false, and writes nothing, if the device was registered again since it was read */
export async function removeDevice(
  client: DynamoDBDocumentClient,
  tables: DeviceTables,
  device: Device,
): Promise<boolean> {
  return commit(client, [
    removal(tables, device),
    ...tokenKeysOf(device).map((tokenKey) => ({ Delete: { TableName: tables.DeviceTokens, Key: { tokenKey } } })),
  ]);
}

function removal(tables: DeviceTables, { userId, deviceId, revision }: Device) {
  return {
    Delete: {
      TableName: tables.Devices,
      Key: { userId, deviceId },
      ConditionExpression: 'revision = :revision',
      ExpressionAttributeValues: { ':revision': revision },
    },
  };
}

function ownedBy(owner: TokenOwner | null) {
  if (!owner) return { ConditionExpression: 'attribute_not_exists(tokenKey)' };
  return { ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': owner.revision } };
}
