import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Device, isReachable, mostDevices, type Owner, type Reachable } from '../../devices/rules.ts';
import { listDevices } from './devices.ts';

/** The devices, as delivery sees them. Reads are strongly consistent: a token that was given up gets nothing more. */

/** @returns the ids of a user's devices that can be sent to, no more than a user may have */
export async function reachableDevices(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
): Promise<string[]> {
  const devices = (await listDevices(client, table, userId)).filter(isReachable);
  // Several registrations at once may leave more than the limit: the devices that were used last get the push.
  const newest = devices.toSorted((one, other) => (one.renewedAt > other.renewedAt ? -1 : 1));
  return newest.slice(0, mostDevices).map(({ deviceId }) => deviceId);
}

/** The device as it is by now; null where it is gone or cannot be sent to any more. */
export async function readTarget(
  client: DynamoDBDocumentClient,
  table: string,
  { userId, deviceId }: Owner,
): Promise<Reachable<Device> | null> {
  const command = new GetCommand({ TableName: table, Key: { userId, deviceId }, ConsistentRead: true });
  const device = (await client.send(command)).Item as Device | undefined;
  return device && isReachable(device) ? device : null;
}
