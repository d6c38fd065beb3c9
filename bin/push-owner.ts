import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { endpointKey } from '../functions/devices/rules.ts';
import { readOwners } from '../functions/devices/stores/device-rows.ts';
import type { DataAccess, FindPushOwner } from '../lib/local/index.ts';

/** The user to whom an SNS endpoint belongs at this moment. */
export function pushOwner({ endpoint, region, credentials, tables }: DataAccess): FindPushOwner {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials, maxAttempts: 1 }));
  return async (endpointArn) => {
    const names = { Devices: tables('Devices'), DeviceTokens: tables('DeviceTokens') };
    const key = endpointKey(endpointArn);
    return (await readOwners(client, names, [key])).get(key) ?? null;
  };
}
