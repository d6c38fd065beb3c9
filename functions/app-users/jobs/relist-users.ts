import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { userOfKey } from '../rules/directory.ts';
import { type Directory, listUser } from '../workflows/list-user.ts';

/** A part of `npm run cli -- rebuild-overview`: adds users to the lists who are older than the lists, and removes erased users. */
export async function relistUsers(directory: Directory): Promise<number> {
  const { client, tables } = directory;
  let looked = 0;
  for await (const { userId } of rowsOf(client, tables.Users, 'userId')) {
    // Whose an address is stands there, too.
    if (String(userId).includes('#')) continue;
    await listUser(directory, String(userId));
    looked += 1;
  }
  for await (const { list } of rowsOf(client, tables.UserDirectory, '#list')) {
    const userId = userOfKey(String(list));
    if (userId !== null) await listUser(directory, userId);
  }
  return looked;
}

async function* rowsOf(client: DynamoDBDocumentClient, TableName: string, ProjectionExpression: string) {
  const names = ProjectionExpression.startsWith('#')
    ? { ExpressionAttributeNames: { [ProjectionExpression]: ProjectionExpression.slice(1) } }
    : {};
  const scan = { TableName, ConsistentRead: true, ProjectionExpression, ...names };
  for await (const { Items = [] } of paginateScan({ client }, scan)) yield* Items;
}
