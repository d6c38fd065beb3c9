import { type DynamoDBDocumentClient, GetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { accountPart, guardCount, guardKey } from '../../../lib/contract/accounts.ts';
import { accountOf, erasureKeyOf, hasGuards } from '../rules/erasure.ts';
import { withEndsOf } from '../rules/kept-ends.ts';
import type { Erasure } from '../rules/state.ts';

/** Table `Accounts`: what an erasure's state means for all functions. It changes only with that state, in its transaction. */

type Items = NonNullable<ConstructorParameters<typeof TransactWriteCommand>[0]['TransactItems']>;
type Row = Readonly<Record<string, unknown>> & { readonly userId: string; readonly part: string };

/**
 * The changes of the account's rows that belong to a change of the state; mostly none. They need no conditions, because
 * the state's row has one.
 */
export async function accountMove(
  client: DynamoDBDocumentClient,
  table: string | undefined,
  before: Erasure | null,
  after: Erasure,
): Promise<Items> {
  const isOpening = Boolean(before?.requestedAt) && !after.requestedAt;
  const next = isOpening && table !== undefined ? await opened(client, table, before, after) : after;
  const items = difference(before ? rowsOf(before) : [], rowsOf(next));
  if (items.length === 0) return [];
  if (table === undefined) throw new Error('this change closes or opens an account, and table Accounts is not named');
  return items.map((item) => item(table));
}

/** If the closing ended no consent, its own end goes with it: whether it did is in the state. */
async function opened(
  client: DynamoDBDocumentClient,
  table: string,
  before: Erasure | null,
  after: Erasure,
): Promise<Erasure> {
  const Key = { userId: after.userId, part: accountPart };
  const { Item } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  const { ends, ...all } = withEndsOf(after, Item?.ends, new Date());
  // In a row that is open, this end is of an earlier closing.
  const own = Item?.isClosed === true && before ? before.endedAt : null;
  return { ...all, ends: ends.filter((end) => end !== own || after.ends.includes(end)) };
}

/**
 * Makes the account's rows match the state, whatever a backup restored. Ends of consents that only the row has stay. If
 * the state has changed in the meantime, nothing is written: that change has also written the account's rows.
 *
 * @param erasure `nothing` for a user without a row
 */
export async function repairAccount(
  client: DynamoDBDocumentClient,
  { table, accounts }: { readonly table: string; readonly accounts: string },
  erasure: Erasure,
): Promise<void> {
  const { userId, revision } = erasure;
  const rows = await readRows(client, accounts, userId);
  const items = difference(rows, rowsBeside(rows, erasure));
  if (items.length === 0) return;
  const isStill =
    revision === 0
      ? { ConditionExpression: 'attribute_not_exists(kind)' }
      : { ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': revision } };
  const TransactItems = [
    { ConditionCheck: { TableName: table, Key: erasureKeyOf(userId), ...isStill } },
    ...items.map((item) => item(accounts)),
  ];
  await client.send(new TransactWriteCommand({ TransactItems }));
}

/** Whether the account's row and all its guard rows match the state. The row may have more ends than the state. */
export async function isClosed(client: DynamoDBDocumentClient, accounts: string, erasure: Erasure): Promise<boolean> {
  const rows = await readRows(client, accounts, erasure.userId);
  return hasGuards(erasure) && difference(rows, rowsBeside(rows, erasure)).length === 0;
}

function rowsBeside(stored: readonly Row[], erasure: Erasure): Row[] {
  return rowsOf(withEndsOf(erasure, stored.find(({ part }) => part === accountPart)?.ends, new Date()));
}

async function readRows(client: DynamoDBDocumentClient, accounts: string, userId: string): Promise<Row[]> {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: accounts,
      KeyConditionExpression: 'userId = :userId',
      ExpressionAttributeValues: { ':userId': userId },
      ConsistentRead: true,
    }),
  );
  return Items as Row[];
}

function rowsOf(erasure: Erasure): Row[] {
  const { userId } = erasure;
  const account = accountOf(erasure);
  const guards = hasGuards(erasure) ? guardCount : 0;
  return [
    ...(account ? [{ userId, part: accountPart, ...account }] : []),
    ...Array.from({ length: guards }, (_, number) => guardKey(userId, number)),
  ];
}

type Move = (table: string) => Items[number];

function difference(are: readonly Row[], shall: readonly Row[]): Move[] {
  const written = (rows: readonly Row[]) => new Map(rows.map((row) => [row.part, JSON.stringify(sorted(row))]));
  const [were, will] = [written(are), written(shall)];
  const put = shall.filter(({ part }) => were.get(part) !== will.get(part));
  const gone = are.filter(({ part }) => !will.has(part));
  return [
    ...put.map(
      (Item): Move =>
        (TableName) => ({ Put: { TableName, Item } }),
    ),
    ...gone.map(
      ({ userId, part }): Move =>
        (TableName) => ({ Delete: { TableName, Key: { userId, part } } }),
    ),
  ];
}

function sorted(row: Row): [string, unknown][] {
  return Object.entries(row).toSorted(([one], [other]) => (one < other ? -1 : 1));
}
