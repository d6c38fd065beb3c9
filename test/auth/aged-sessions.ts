import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { partsOf } from '../../functions/auth/rules/refresh-token.ts';
import type { SessionRow } from '../../functions/auth/rules/session-row.ts';
import type { RunningStage } from '../../lib/local/stage.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';

/** Sessions as they are after a time. The functions have the machine's clock, so the times in the row are moved back. */
export function agedSessions({ data }: RunningStage) {
  const { endpoint, region, credentials } = data;
  const client = documentsOf(new DynamoDBClient({ endpoint, region, credentials }));
  const TableName = data.tables('Sessions');
  const rowOf = async (refreshToken: string): Promise<SessionRow> => {
    const { userId, sessionId } = partsOf(refreshToken) ?? {};
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'userId = :userId AND sessionId = :sessionId',
        ExpressionAttributeValues: { ':userId': userId, ':sessionId': sessionId },
        ConsistentRead: true,
      }),
    );
    const [row] = Items as SessionRow[];
    if (!row) throw new Error('there is no such session');
    return row;
  };
  return {
    rowOf,
    /** @param parts the times that are so much longer ago; all unless given */
    async age(
      refreshToken: string,
      ms: number,
      parts: readonly ('createdAt' | 'renewedAt')[] = ['createdAt', 'renewedAt'],
    ) {
      const back = (time: string) => new Date(Date.parse(time) - ms).toISOString();
      const row = await rowOf(refreshToken);
      const predecessors = row.predecessors?.map((each) => ({ ...each, replacedAt: back(each.replacedAt) }));
      const times = Object.fromEntries(parts.map((part) => [part, back(row[part])]));
      const Item = { ...row, ...(predecessors && { predecessors }), ...times };
      await client.send(new PutCommand({ TableName, Item }));
    },
    close: () => client.destroy(),
  };
}
