import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { seedCatalogues } from '../functions/agreements/seed/seed.ts';
import { seedPolicies } from '../functions/mobile/seed/seed.ts';
import type { DataAccess } from '../lib/local/backend.ts';

/** What a local stage starts with: every domain's seed. Running it again changes nothing. */
export async function seed({ endpoint, region, credentials, tables }: DataAccess): Promise<void> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
  await seedCatalogues(client, tables('Agreements'));
  await seedPolicies(client, tables('AppVersionPolicies'));
  client.destroy();
}
