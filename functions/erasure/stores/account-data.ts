import { DeleteEndpointCommand, type SNSClient } from '@aws-sdk/client-sns';
import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { isUnavailable } from '../../../lib/runtime/failure.ts';
import { queryAll, queryEach } from '../../../lib/runtime/query-all.ts';
import { runAllThenThrow } from '../../../lib/runtime/run-all-then-throw.ts';
import { type Device, endpointKey, isSameDevice, type Owner, tokenKeysOf } from '../../devices/rules/device.ts';
import { type Erased, emailKey, isErased, type User } from '../../users/rules/profile.ts';

/**
 * What an account leaves behind, in the tables of the domains that write it. No token opens them any more when it goes, so
 * that nothing is written meanwhile; each function can be repeated, and touches nothing that is another user's by then.
 */

type Tables = { Users: string; Devices: string; DeviceTokens: string; AgentBoardMessages: string };

/** Each with its endpoint and with what says whose its token is. The endpoint first: it is found by the row. */
export async function eraseDevices(
  { dynamo, sns }: { dynamo: DynamoDBDocumentClient; sns: SNSClient },
  tables: Tables,
  userId: string,
): Promise<void> {
  const devices = await queryAll<Device>(dynamo, ofUser(tables.Devices, userId));
  await runAllThenThrow(
    devices.map((device) => ['device', () => eraseDevice({ dynamo, sns }, tables, userId, device)]),
  );
}

async function eraseDevice(
  { dynamo, sns }: { dynamo: DynamoDBDocumentClient; sns: SNSClient },
  tables: Tables,
  userId: string,
  device: Device,
): Promise<void> {
  const owned: string[] = [];
  for (const key of tokenKeysOf(device)) {
    const Key = { tokenKey: key };
    const { Item } = await dynamo.send(new GetCommand({ TableName: tables.DeviceTokens, Key, ConsistentRead: true }));
    // After a restore the row may be of a phone that has another user now.
    if (Item && isSameDevice(Item as Owner, device)) owned.push(key);
  }
  const { endpointArn, deviceId } = device;
  if (endpointArn !== null && owned.includes(endpointKey(endpointArn))) {
    await deleteEndpoint(sns, endpointArn);
  }
  const own = {
    ConditionExpression: 'attribute_not_exists(tokenKey) OR (userId = :userId AND deviceId = :deviceId)',
    ExpressionAttributeValues: { ':userId': userId, ':deviceId': deviceId },
  };
  await dynamo.send(
    new TransactWriteCommand({
      TransactItems: [
        { Delete: { TableName: tables.Devices, Key: { userId, deviceId } } },
        ...owned.map((tokenKey) => ({ Delete: { TableName: tables.DeviceTokens, Key: { tokenKey }, ...own } })),
      ],
    }),
  );
}

/** SNS's sentences name endpoints, and a log gets an error's name. */
class SnsRefusal extends Error {
  override readonly name: string;

  constructor(name: string) {
    super();
    this.name = `Sns${name}`;
  }
}

/** What was deleted already is deleted. */
async function deleteEndpoint(client: SNSClient, EndpointArn: string): Promise<void> {
  try {
    await client.send(new DeleteEndpointCommand({ EndpointArn }));
  } catch (error) {
    throw error instanceof Error && !isUnavailable(error) ? new SnsRefusal(error.name) : error;
  }
}

/** The messages and the board's own row, which sorts after them. */
export async function eraseMessages(client: DynamoDBDocumentClient, table: string, userId: string): Promise<void> {
  for await (const { messageId } of queryEach<{ messageId: string }>(client, ofUser(table, userId))) {
    await client.send(new DeleteCommand({ TableName: table, Key: { userId, messageId } }));
  }
}

/** The profile becomes a tombstone, also where there was none; the row of the address goes with it. */
export async function eraseProfile(
  client: DynamoDBDocumentClient,
  table: string,
  { userId, erasedAt }: Erased,
): Promise<void> {
  const found = await readRow(client, table, userId);
  if (found && isErased(found as User | Erased)) return;
  const user = found as User | null;
  const key = user?.email ? emailKey(user.application, user.email) : null;
  // The address may be another user's meanwhile.
  const isOwn = key !== null && (await readRow(client, table, key))?.owner === userId;
  await client.send(
    new TransactWriteCommand({
      TransactItems: [
        { Put: { TableName: table, Item: { userId, erasedAt } } },
        ...(isOwn
          ? [
              {
                Delete: {
                  TableName: table,
                  Key: { userId: key },
                  ConditionExpression: '#owner = :userId',
                  ExpressionAttributeNames: { '#owner': 'owner' },
                  ExpressionAttributeValues: { ':userId': userId },
                },
              },
            ]
          : []),
      ],
    }),
  );
}

async function readRow(client: DynamoDBDocumentClient, table: string, userId: string) {
  const found = await client.send(new GetCommand({ TableName: table, Key: { userId }, ConsistentRead: true }));
  return found.Item ?? null;
}

function ofUser(TableName: string, userId: string) {
  return {
    TableName,
    KeyConditionExpression: 'userId = :userId',
    ExpressionAttributeValues: { ':userId': userId },
  };
}
