import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SNSClient } from '@aws-sdk/client-sns';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { seedCatalogues } from '../functions/agreements/seed/seed.ts';
import { seedDevices } from '../functions/devices/seed/seed.ts';
import { seedPolicies } from '../functions/mobile/seed/seed.ts';
import type { DataAccess } from '../lib/local/backend.ts';

/** What a local stage starts with: every domain's seed. Running it again changes nothing. */
export async function seed(data: DataAccess): Promise<void> {
  const { endpoint, region, credentials, tables } = data;
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
  await seedCatalogues(client, tables('Agreements'));
  await seedPolicies(client, tables('AppVersionPolicies'));
  const userId = data.seededUserId('sleepcare', 'patient@example.com');
  if (userId) {
    const sns = new SNSClient({ endpoint: data.snsEndpoint, region, credentials });
    const names = { Devices: tables('Devices'), DeviceTokens: tables('DeviceTokens') };
    await seedDevices({ dynamo: client, sns }, names, { userId, applications: data.platformApplications() });
    sns.destroy();
  }
  client.destroy();
}
