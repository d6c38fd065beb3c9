import { type DynamoDBDocumentClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';

/** All rows of a query at this moment. A page of DynamoDB's has a megabyte at most. @param most the rest is not read where there are more */
export async function queryAll<Row>(
  client: DynamoDBDocumentClient,
  query: QueryCommandInput,
  most = Number.POSITIVE_INFINITY,
): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pagesOf(client, query)) {
    rows.push(...(page as Row[]));
    if (rows.length > most) break;
  }
  return rows;
}

/** The same rows one by one, for queries that do not fit into memory. Rows may be deleted meanwhile. */
export async function* queryEach<Row>(
  client: DynamoDBDocumentClient,
  query: QueryCommandInput,
): AsyncGenerator<Row, void, undefined> {
  for await (const page of pagesOf(client, query)) yield* page as Row[];
}

async function* pagesOf(client: DynamoDBDocumentClient, query: QueryCommandInput) {
  let next: Record<string, unknown> | undefined;
  do {
    const page = await client.send(new QueryCommand({ ...query, ConsistentRead: true, ExclusiveStartKey: next }));
    yield page.Items ?? [];
    next = page.LastEvaluatedKey;
  } while (next);
}
