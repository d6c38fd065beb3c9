import { type DynamoDBDocumentClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';

/** All rows of a query, as they are at this moment; a page of DynamoDB's is a megabyte. */
export async function queryAll<Row>(client: DynamoDBDocumentClient, query: QueryCommandInput): Promise<Row[]> {
  const rows: Row[] = [];
  let next: Record<string, unknown> | undefined;
  do {
    const page = await client.send(new QueryCommand({ ...query, ConsistentRead: true, ExclusiveStartKey: next }));
    rows.push(...((page.Items ?? []) as Row[]));
    next = page.LastEvaluatedKey;
  } while (next);
  return rows;
}
