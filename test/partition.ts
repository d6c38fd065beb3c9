import { type DynamoDBDocumentClient, QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';

/** The rows of a partition as they are; of one that has a megabyte at most. @param key the partition's attribute and its value */
export async function partition(
  client: DynamoDBDocumentClient,
  TableName: string | undefined,
  key: Readonly<Record<string, unknown>>,
): Promise<NonNullable<QueryCommandOutput['Items']>> {
  const [[name, value] = []] = Object.entries(key);
  const asked = new QueryCommand({
    TableName,
    KeyConditionExpression: '#name = :value',
    ExpressionAttributeNames: { '#name': String(name) },
    ExpressionAttributeValues: { ':value': value },
    ConsistentRead: true,
  });
  return (await client.send(asked)).Items ?? [];
}
