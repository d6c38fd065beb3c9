import { type DynamoDBDocumentClient, ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';

/** All rows of a table one by one. They may be some moments old: whoever acts on one reads it again. */
export async function* scanEach<Row>(
  client: DynamoDBDocumentClient,
  scan: ScanCommandInput,
): AsyncGenerator<Row, void, undefined> {
  let next: Record<string, unknown> | undefined;
  do {
    const page = await client.send(new ScanCommand({ ...scan, ExclusiveStartKey: next }));
    yield* (page.Items ?? []) as Row[];
    next = page.LastEvaluatedKey;
  } while (next);
}
