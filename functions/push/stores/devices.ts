import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { PushDevice } from '../rules/notification.ts';

/** Table `Devices`, which the domain of that name writes: what a push needs of a user's devices. */

const Row = z.object({
  deviceId: z.string(),
  platform: z.enum(['ios', 'android']),
  environment: z.enum(['production', 'sandbox']),
  locale: z.string(),
  endpointArn: z.nullable(z.string()),
  status: z.enum(['active', 'disabled', 'unconnected']),
  renewedAt: z.string(),
});

/** Every device of a user, also the disabled ones. */
export async function listDevices(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
): Promise<PushDevice[]> {
  const pages = paginateQuery(
    { client },
    {
      TableName: table,
      KeyConditionExpression: 'userId = :user',
      ExpressionAttributeValues: { ':user': userId },
      ConsistentRead: true,
    },
  );
  const devices: PushDevice[] = [];
  for await (const { Items = [] } of pages) {
    // A row that is none keeps no push from the other devices.
    devices.push(...Items.flatMap((item) => z.safeParse(Row, item).data ?? []));
  }
  return devices;
}
