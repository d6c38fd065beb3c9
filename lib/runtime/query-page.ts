import { type DynamoDBDocumentClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';

/**
 * A page of a query's rows, strongly consistent, and whether more follow. It asks for one row more than the page has,
 * because DynamoDB returns a key after the last row, too. DynamoDB ends a page at a megabyte: the page is then shorter, and
 * more follow.
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
