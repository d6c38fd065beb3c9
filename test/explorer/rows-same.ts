import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as commands from '@aws-sdk/lib-dynamodb';
import { declarations } from '../../functions/domains.ts';
import { root } from '../../lib/bundle/root.ts';
import { openPlatform, withClientsAtOnce } from '../../lib/explore/platform.ts';
import { startDynamoDb } from '../../lib/local/dynamodb/front.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { type RandomCall, randomTables } from './random-calls.ts';

/** What the explorer's tables answer, and what the local stage's DynamoDB answers over HTTP by the SDK's own client. */

type Answered = { readonly call: RandomCall; readonly explorer: unknown; readonly stage: unknown };

export async function answersTo(
  calls: readonly RandomCall[],
): Promise<{ answers: Answered[]; explorer: unknown[]; stage: unknown[] }> {
  const database = await startDynamoDb();
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const base = new DynamoDBClient({ endpoint: database.url, region: 'eu-central-1', credentials, maxAttempts: 1 });
  const stage = documentsOf(base);
  const platform = openPlatform(root, declarations, 'prod');
  const { client: explorer, rows } = withClientsAtOnce(platform, randomTables);
  try {
    for (const { name, partitionKey, ...table } of randomTables) {
      const keys = 'sortKey' in table ? [partitionKey, table.sortKey] : [partitionKey];
      await base.send(
        new CreateTableCommand({
          TableName: name,
          BillingMode: 'PAY_PER_REQUEST',
          AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
          KeySchema: keys.map((AttributeName, index) => ({ AttributeName, KeyType: index === 0 ? 'HASH' : 'RANGE' })),
        }),
      );
    }
    const answers: Answered[] = [];
    for (const call of calls) {
      answers.push({ call, explorer: await answerOf(explorer, call), stage: await answerOf(stage, call) });
    }
    const all = async (TableName: string) =>
      (await stage.send(new commands.ScanCommand({ TableName, ConsistentRead: true }))).Items ?? [];
    const stored = await Promise.all(randomTables.map(({ name }) => all(name)));
    return { answers, explorer: randomTables.map(({ name }) => rows(name)), stage: stored };
  } finally {
    base.destroy();
    await database.close();
  }
}

async function answerOf(
  client: { send(command: never): Promise<unknown> },
  { command, input }: RandomCall,
): Promise<unknown> {
  const Command = (commands as unknown as Record<string, new (input: object) => object>)[`${command}Command`];
  if (!Command) throw new Error(`no ${command}`);
  try {
    const { $metadata: _, ...output } = (await client.send(new Command(input) as never)) as Record<string, unknown>;
    return command === 'BatchGet' ? { ...output, Responses: inOrder(output.Responses as Rows) } : output;
  } catch (error) {
    const { name, message, CancellationReasons, Item } = error as Error & Record<string, unknown>;
    return {
      error: name,
      message,
      ...(CancellationReasons !== undefined && { CancellationReasons }),
      ...(Item !== undefined && { Item }),
    };
  }
}

type Rows = Readonly<Record<string, readonly unknown[]>>;

/** DynamoDB promises no order of the rows that are read at once. */
function inOrder(responses: Rows): Rows {
  const text = (row: unknown) => JSON.stringify(row);
  return Object.fromEntries(
    Object.entries(responses).map(([table, rows]) => [
      table,
      rows.toSorted((one, other) => (text(one) < text(other) ? -1 : 1)),
    ]),
  );
}
