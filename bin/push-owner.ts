import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { endpointKey } from '../functions/devices/rules.ts';
import { readOwners } from '../functions/devices/stores/device-rows.ts';
import { Devices, DeviceTokens } from '../functions/devices/tables.ts';
import type { DataAccess, FindPushOwner } from '../lib/local/index.ts';
import { documentsOf } from '../lib/runtime/documents.ts';
import { handlesOf } from '../lib/runtime/table-handle.ts';

/** The user to whom an SNS endpoint belongs at this moment. */
export function pushOwner({ endpoint, region, credentials, tables }: DataAccess): FindPushOwner {
  const client = documentsOf(new DynamoDBClient({ endpoint, region, credentials, maxAttempts: 1 }));
  return async (endpointArn) => {
    const handles = handlesOf(
      [Devices, DeviceTokens],
      ({ name }) => tables(name),
      () => client,
    );
    const key = endpointKey(endpointArn);
    return (await readOwners(handles, [key])).get(key) ?? null;
  };
}
