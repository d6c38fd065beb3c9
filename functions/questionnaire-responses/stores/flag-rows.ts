import { randomUUID } from 'node:crypto';
import { type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { commit, type Items } from '../../../lib/runtime/commit.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { type AuditEvent, auditEvent, auditPut } from '../../audit/rules/audit-event.ts';
import { type Flag, flagIdOf, type Raised } from '../rules/flag.ts';

/** Table `QuestionnaireFlags`; tables.ts says which rows there are. Every read is strongly consistent. */

const flagKey = (flagId: string) => ({ part: `flag#${flagId}`, name: 'flag' });
const ofUser = (userId: string) => `user#${userId}`;
const openOfUser = (userId: string) => `open#${userId}`;

/** The row of a flag in its list. */
function listKey({ flagId, raisedAt, acknowledgedAt }: Flag): { part: State; name: string } {
  return acknowledgedAt === null
    ? { part: 'open', name: `${raisedAt}#${flagId}` }
    : { part: 'acknowledged', name: `${acknowledgedAt}#${flagId}` };
}

export type State = 'open' | 'acknowledged';

export async function readFlag(client: DynamoDBDocumentClient, table: string, flagId: string): Promise<Flag | null> {
  const found = await client.send(new GetCommand({ TableName: table, Key: flagKey(flagId), ConsistentRead: true }));
  return (found.Item as Flag | undefined) ?? null;
}

/**
 * The writes of flags in the transaction of the completion that raises them, so that no flag is lost. An open flag is
 * not raised again, on the condition that it is still open when the completion commits. If somebody has acknowledged
 * it, a correction raises it again.
 */
export async function raise(client: DynamoDBDocumentClient, table: string, flags: readonly Raised[]): Promise<Items> {
  const items = await Promise.all(
    flags.map(async ({ rootId, ...raised }): Promise<Items> => {
      const { userId, code } = raised;
      let acknowledged = 0;
      let flagId = flagIdOf({ userId, rootId, code }, acknowledged);
      let known = await readFlag(client, table, flagId);
      while (known && known.acknowledgedAt !== null) {
        acknowledged += 1;
        flagId = flagIdOf({ userId, rootId, code }, acknowledged);
        known = await readFlag(client, table, flagId);
      }
      if (known) return [{ ConditionCheck: { TableName: table, Key: flagKey(flagId), ...isStill(known) } }];
      const flag = { flagId, ...raised };
      const isNew = { ConditionExpression: 'attribute_not_exists(part)' };
      return [
        { Put: { TableName: table, Item: { ...flagKey(flagId), ...flag }, ...isNew } },
        { Put: { TableName: table, Item: { ...listKey(flag), ...flag } } },
        { Put: { TableName: table, Item: { part: ofUser(userId), name: flagId } } },
        { Put: { TableName: table, Item: { part: openOfUser(userId), name: flagId } } },
      ];
    }),
  );
  return items.flat();
}

/** The condition that nobody has acknowledged a flag, or erased it, since it was read. */
function isStill({ acknowledgedAt }: Flag) {
  return { ConditionExpression: 'acknowledgedAt = :read', ExpressionAttributeValues: { ':read': acknowledgedAt } };
}

/**
 * A page of the flags. Open flags are listed oldest first, because the oldest is the most urgent; the others are listed
 * newest first.
 */
export async function readFlags(
  client: DynamoDBDocumentClient,
  table: string,
  state: State,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ found: Flag[]; next: string | null }> {
  const query = {
    TableName: table,
    KeyConditionExpression: 'part = :state',
    ExpressionAttributeValues: { ':state': state },
    ScanIndexForward: state === 'open',
    ...(after !== null && { ExclusiveStartKey: { part: state, name: after } }),
  };
  const { rows, hasMore } = await queryPage<Flag>(client, query, limit);
  const last = rows.at(-1);
  return { found: rows, next: hasMore && last ? listKey(last).name : null };
}

/** The number of open flags. It reads at most one megabyte, which is thousands of flags. */
export async function countOpen(client: DynamoDBDocumentClient, table: string): Promise<number> {
  const { Count = 0 } = await client.send(
    new QueryCommand({
      TableName: table,
      ConsistentRead: true,
      KeyConditionExpression: 'part = :open',
      ExpressionAttributeValues: { ':open': 'open' },
      Select: 'COUNT',
    }),
  );
  return Count;
}

/** Whether one of a user's flags is open. It counts one row at most, however many flags there are. */
export async function hasOpenFlag(client: DynamoDBDocumentClient, table: string, userId: string): Promise<boolean> {
  const { Count = 0 } = await client.send(
    new QueryCommand({
      TableName: table,
      ConsistentRead: true,
      KeyConditionExpression: 'part = :open',
      ExpressionAttributeValues: { ':open': openOfUser(userId) },
      Select: 'COUNT',
      Limit: 1,
    }),
  );
  return Count > 0;
}

type Acknowledging = {
  readonly flagId: string;
  readonly now: Date;
  readonly occasion: Pick<AuditEvent, 'application' | 'actor' | 'requestId'> & { readonly realNow: Date };
};

/** @returns the flag, with the person who acknowledged it first; null if there is none */
export async function acknowledge(
  client: DynamoDBDocumentClient,
  tables: { readonly QuestionnaireFlags: string; readonly AuditEvents: string },
  { flagId, now, occasion }: Acknowledging,
): Promise<Flag | null> {
  const table = tables.QuestionnaireFlags;
  return retryOnContention(async () => {
    const flag = await readFlag(client, table, flagId);
    if (!flag || flag.acknowledgedAt !== null) return flag;
    const { part: _part, name: _name, ...known } = flag as Flag & { part?: string; name?: string };
    const after = { ...known, acknowledgedAt: now.toISOString(), acknowledgedBy: occasion.actor };
    const audit = auditEvent({
      ...occasion,
      action: 'questionnaire-flag.acknowledged',
      subject: `questionnaire-flag/${flagId}`,
      before: null,
      after: { acknowledgedAt: after.acknowledgedAt },
      random: randomUUID(),
    });
    // Not if an erasure has deleted it in the meantime, and not if somebody else was faster.
    const isWritten = await commit(client, [
      { Put: { TableName: table, Item: { ...flagKey(flagId), ...after }, ...isStill(flag) } },
      { Delete: { TableName: table, Key: listKey(flag) } },
      { Delete: { TableName: table, Key: { part: openOfUser(flag.userId), name: flagId } } },
      { Put: { TableName: table, Item: { ...listKey(after), ...after } } },
      auditPut(tables.AuditEvents, audit),
    ]);
    return isWritten ? after : contended;
  });
}

/** A page of a user's flags, by id. @param page `after`: the last `flagId` of the previous page */
export async function readFlagsOfUser(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ found: Flag[]; next: string | null }> {
  const part = ofUser(userId);
  const query = {
    TableName: table,
    KeyConditionExpression: 'part = :user',
    ExpressionAttributeValues: { ':user': part },
    ...(after !== null && { ExclusiveStartKey: { part, name: after } }),
  };
  const { rows, hasMore } = await queryPage<{ name: string }>(client, query, limit);
  const flags = await Promise.all(rows.map(({ name }) => readFlag(client, table, name)));
  return { found: flags.filter((flag) => flag !== null), next: hasMore ? (rows.at(-1)?.name ?? null) : null };
}

/** The ids of a user's flags. */
export async function flagIdsOfUser(client: DynamoDBDocumentClient, table: string, userId: string): Promise<string[]> {
  const found = await queryAll<{ name: string }>(client, {
    TableName: table,
    KeyConditionExpression: 'part = :user',
    ExpressionAttributeValues: { ':user': ofUser(userId) },
  });
  return found.map(({ name }) => name);
}

/**
 * Deletes a flag, its row in the list and its rows under the user. If somebody acknowledges it in the meantime, it
 * moves to the other list, and is read again.
 */
export async function eraseFlag(
  client: DynamoDBDocumentClient,
  table: string,
  { userId, flagId }: Pick<Flag, 'userId' | 'flagId'>,
  options?: RetryOptions,
): Promise<void> {
  await retryOnContention(async () => {
    const flag = await readFlag(client, table, flagId);
    const items: Items = [ofUser(userId), openOfUser(userId)].map((part) => ({
      Delete: { TableName: table, Key: { part, name: flagId } },
    }));
    if (flag) {
      items.push({ Delete: { TableName: table, Key: flagKey(flagId), ...isStill(flag) } });
      items.push({ Delete: { TableName: table, Key: listKey(flag) } });
    }
    return (await commit(client, items)) ? null : contended;
  }, options);
}
