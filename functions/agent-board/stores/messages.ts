import { type DynamoDBDocumentClient, GetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { isContention } from '../../../lib/runtime/failure.ts';
import type { Board, BoardChange, StoredMessage } from '../rules/board.ts';

/**
 * Table `AgentBoardMessages`. A user's partition holds the messages by `messageId` and, under `~board`, the board itself:
 * `~` sorts after every character of an id, so that a Query from the end meets the board first and then the newest
 * messages. Every read is strongly consistent.
 */

const boardKey = '~board';

type Owner = { userId: string };
type Named = Owner & { messageId: string };

export async function readBoard(
  client: DynamoDBDocumentClient,
  table: string,
  { userId }: Owner,
): Promise<Board | null> {
  return readRow<Board>(client, table, { userId, messageId: boardKey });
}

export async function readMessage(
  client: DynamoDBDocumentClient,
  table: string,
  { userId, messageId }: Named,
): Promise<StoredMessage | null> {
  return readRow<StoredMessage>(client, table, { userId, messageId });
}

async function readRow<Row>(client: DynamoDBDocumentClient, table: string, Key: Named): Promise<Row | null> {
  const found = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return (found.Item as Row | undefined) ?? null;
}

export type MessagePage = { messages: StoredMessage[]; next: string | null; unreadCount: number };

/**
 * A page of a user's messages, newest first, and how many are unread on the whole board. One Query; where a page begins
 * further down, out of whose reach the board is, one GetItem beside it.
 *
 * @param after the `messageId` that the previous page ended with
 */
export async function readPage(
  client: DynamoDBDocumentClient,
  table: string,
  owner: Owner,
  { limit, after }: { limit: number; after: string | null },
): Promise<MessagePage> {
  const { userId } = owner;
  const query = new QueryCommand({
    TableName: table,
    KeyConditionExpression: 'userId = :userId',
    ExpressionAttributeValues: { ':userId': userId },
    ConsistentRead: true,
    ScanIndexForward: false,
    // One more than asked for tells whether there is a next page; the first page's Query begins with the board.
    Limit: limit + (after === null ? 2 : 1),
    ...(after !== null && { ExclusiveStartKey: { userId, messageId: after } }),
  });
  const [found, known] = await Promise.all([
    client.send(query),
    after === null ? null : readBoard(client, table, owner),
  ]);
  const rows = (found.Items ?? []) as ((Board & Named) | StoredMessage)[];
  const messages = rows.filter((row): row is StoredMessage => row.messageId !== boardKey);
  const board = known ?? rows.find((row): row is Board & Named => row.messageId === boardKey);
  const shown = messages.slice(0, limit);
  // DynamoDB ends a Query at a megabyte: such a page is shorter, rather than a second Query.
  const isCut = messages.length <= limit && found.LastEvaluatedKey !== undefined;
  const hasMore = messages.length > limit || isCut;
  return {
    messages: shown,
    next: hasMore ? (shown.at(-1)?.messageId ?? null) : null,
    unreadCount: board?.unreadCount ?? 0,
  };
}

/**
 * Writes a message and its board, both or neither, on the condition that both are still what the change was decided on:
 * the two were not read in one moment.
 *
 * @param token new for each decision; the SDK's retries of a lost answer carry it again and change nothing twice
 * @returns false where another writer was there first, so that the decision has to be taken anew
 * @throws what the SDK throws where the outcome is unknown
 */
export async function commit(
  client: DynamoDBDocumentClient,
  table: string,
  { message, board }: BoardChange,
  token: string,
): Promise<boolean> {
  const row = { userId: message.userId, messageId: boardKey, ...board };
  try {
    await client.send(
      new TransactWriteCommand({
        ClientRequestToken: token,
        TransactItems: [
          { Put: { TableName: table, Item: message, ...(message.readAt === null ? isNew : isUnread) } },
          { Put: { TableName: table, Item: row, ...isStillAt(board.revision - 1) } },
        ],
      }),
    );
    return true;
  } catch (error) {
    if (isContention(error)) return false;
    throw error;
  }
}

const isNew = { ConditionExpression: 'attribute_not_exists(userId)' };

const isUnread = {
  ConditionExpression: 'attribute_type(readAt, :null)',
  ExpressionAttributeValues: { ':null': 'NULL' },
};

function isStillAt(revision: number) {
  if (revision === 0) return isNew;
  return {
    ConditionExpression: '#revision = :read',
    ExpressionAttributeNames: { '#revision': 'revision' },
    ExpressionAttributeValues: { ':read': revision },
  };
}
