import { type DynamoDBDocumentClient, GetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { isContention } from '../../../lib/runtime/failure.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { dueMove, dueUntil } from '../rules/due.ts';
import { type Erasure, erasureKeyOf, nothing } from '../rules/erasure.ts';
import { isErasure } from '../rules/erasure-form.ts';
import { accountMove } from './account-rows.ts';

/**
 * Table `Erasures`: a user's state, and beside it in a queue by time what is to be done next. Both change in one
 * transaction, so that no state waits for a step that nobody takes; and with them the account, so that it is closed as long as
 * a request stands. Every read is strongly consistent.
 */

/** `accounts` for functions that can close or open an account. */
export type ErasureTables = { readonly table: string; readonly accounts?: string };

/**
 * The row has no state's form, so that somebody wrote it by hand. Nothing is decided by it: its user is answered 500, runs leave
 * the user out and fail, and an operator looks.
 */
export class ErasureMalformed extends Error {
  override readonly name = 'ErasureMalformed';

  constructor() {
    super('the row of table Erasures has no state’s form: docs/runbook.md#erase-accounts-errors');
  }
}

/** @throws ErasureMalformed */
export async function readErasureRow(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
): Promise<Erasure | null> {
  const command = new GetCommand({ TableName: table, Key: erasureKeyOf(userId), ConsistentRead: true });
  const { Item } = await client.send(command);
  if (!Item) return null;
  const { kind: _kind, erasureKey: _key, ...erasure } = Item;
  // Whose it is the key says: under another's name it would go by the other's evidence.
  const state = { ...nothing(userId), ...erasure, userId };
  // Without a revision of its own no change of it would ever be committed.
  if (!isErasure(state) || state.revision < 1) throw new ErasureMalformed();
  return state;
}

export type Items = NonNullable<ConstructorParameters<typeof TransactWriteCommand>[0]['TransactItems']>;

/** `also` is written in the same transaction. */
export type Decision = { after: Erasure; also?: Items };
/** @returns what it was given where nothing is to be changed */
export type Decide = (before: Erasure | null) => Promise<Decision | null> | Decision | null;

/** `known`: what was read already, null for none; read here unless given. */
export type Reading = { known?: Erasure | null; pause?: RetryOptions['pause'] };

/**
 * Reads, decides, writes; when somebody else wrote in between, decides anew on what is there now.
 *
 * @returns the state as it is now; null where there is none, and none was to be made
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function changeErasure(
  client: DynamoDBDocumentClient,
  tables: ErasureTables,
  userId: string,
  decide: Decide,
  { known, pause }: Reading = {},
): Promise<Erasure | null> {
  const attempt = async (number: number) => {
    const isKnown = number === 0 && known !== undefined;
    const before = isKnown ? known : await readErasureRow(client, tables.table, userId);
    const decision = await decide(before);
    if (!decision || decision.after === before) return before;
    const revision = Math.max(before?.revision ?? 0, decision.after.revision) + 1;
    const after = { ...decision.after, revision };
    return (await commit(client, tables, before, { ...decision, after })) ? after : contended;
  };
  return retryOnContention(attempt, pause && { pause });
}

async function commit(
  client: DynamoDBDocumentClient,
  { table, accounts }: ErasureTables,
  before: Erasure | null,
  { after, also = [] }: Decision,
): Promise<boolean> {
  const { left, next } = dueMove(before, after);
  const unchanged = before
    ? { ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': before.revision } }
    : { ConditionExpression: 'attribute_not_exists(kind)' };
  try {
    await client.send(
      new TransactWriteCommand({
        TransactItems: [
          { Put: { TableName: table, Item: { ...erasureKeyOf(after.userId), ...after }, ...unchanged } },
          ...(left ? [{ Delete: { TableName: table, Key: left } }] : []),
          ...(next ? [{ Put: { TableName: table, Item: { ...next, userId: after.userId } } }] : []),
          ...accountMove(accounts, before, after),
          ...also,
        ],
      }),
    );
    return true;
  } catch (error) {
    if (isContention(error)) return false;
    throw error;
  }
}

/** Those whose next step is due, the oldest first. */
export async function* dueUsers(
  client: DynamoDBDocumentClient,
  table: string,
  queue: string,
  until: Date,
): AsyncGenerator<string> {
  let from: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'kind = :queue AND erasureKey < :until',
        ExpressionAttributeValues: { ':queue': queue, ':until': dueUntil(until) },
        ConsistentRead: true,
        Limit: 50,
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    for (const { userId } of Items) yield String(userId);
    from = LastEvaluatedKey;
  } while (from);
}
