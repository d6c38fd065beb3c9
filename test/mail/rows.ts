import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { RunningStage } from '../../lib/local/stage.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';

/** The rows of codes, as they are after a time. The functions have the machine's clock, so the codes' ends are moved back. */
export function mailRows({ data, model }: RunningStage) {
  const { endpoint, region, credentials } = data;
  const client = documentsOf(new DynamoDBClient({ endpoint, region, credentials }));
  const TableName = data.tables('MailRecords');
  const rowsOf = async (table: string) =>
    (await client.send(new ScanCommand({ TableName: table, ConsistentRead: true }))).Items ?? [];
  const all = () => rowsOf(TableName);
  return {
    all,
    of: (table: string) => rowsOf(data.tables(table)),
    /** What all tables hold, as one text. */
    everywhere: async () => JSON.stringify(await Promise.all(model().tables.map(({ name }) => rowsOf(name)))),
    async age(ms: number): Promise<void> {
      const earlier = (time: string) => new Date(Date.parse(time) - ms).toISOString();
      for (const { mailRecord, validUntil, askedAt } of await all()) {
        if (validUntil === undefined) continue;
        await client.send(
          new UpdateCommand({
            TableName,
            Key: { mailRecord },
            UpdateExpression: `SET validUntil = :validUntil${askedAt ? ', askedAt = :askedAt' : ''}`,
            ExpressionAttributeValues: {
              ':validUntil': earlier(validUntil),
              ...(askedAt && { ':askedAt': earlier(askedAt) }),
            },
          }),
        );
      }
    },
    close: () => client.destroy(),
  };
}
