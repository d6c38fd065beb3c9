import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

type Database = Required<Pick<DynamoDBClientConfig, 'endpoint' | 'credentials'>>;

/** For what the benchmark itself fills and empties. */
export function documentClient({ endpoint, credentials }: Database): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-central-1', endpoint, credentials }));
}
