import { type DynamoDBDocumentClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';

/**
 * A page of a query's rows, strongly consistent, and whether more follow. One row more than asked for tells: DynamoDB's own
 * key also stands after the last. Where DynamoDB ends at a megabyte the page is shorter, and more follow.
 */
export async function queryPage<Row>(
  client: DynamoDBDocumentClient,
  query: QueryCommandInput,
  limit: number,
): Promise<{ rows: Row[]; hasMore: boolean }> {
  const { Items = [], LastEvaluatedKey } = await client.send(
    new QueryCommand({ ...query, ConsistentRead: true, Limit: limit + 1 }),
  );
  return { rows: Items.slice(0, limit) as Row[], hasMore: Items.length > limit || LastEvaluatedKey !== undefined };
}
