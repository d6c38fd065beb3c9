import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Application } from '../../lib/contract/deployments.ts';
import type { Platform, StoredPolicy } from './policy.ts';
import { readAppVersionPolicy } from './routes.ts';

/** Table `AppVersionPolicies`: one row for each application and platform. */

export type PolicyKey = { application: Application; platform: Platform };

/** Real time that a function keeps a policy for the check; a change is told everywhere after it. */
export const policyMs = 5_000;

/**
 * @param isConsistent false costs half, and may miss what was written within the last second
 * @throws also where the row is not a policy of today's form
 */
export async function readPolicy(
  client: DynamoDBDocumentClient,
  table: string,
  key: PolicyKey,
  isConsistent = true,
): Promise<StoredPolicy | null> {
  const row = await readRow(client, table, key, isConsistent);
  return row ? z.parse(readAppVersionPolicy.response, row) : null;
}

/** 0 where there is no policy yet. Also of a row that is no policy of today's form, so that it can be replaced. */
export async function readRevision(client: DynamoDBDocumentClient, table: string, key: PolicyKey): Promise<number> {
  const row = await readRow(client, table, key, true);
  return row?.revision ?? 0;
}

type Row = { revision: number; changeId: string };

async function readRow(
  client: DynamoDBDocumentClient,
  table: string,
  { application, platform }: PolicyKey,
  isConsistent: boolean,
): Promise<Row | null> {
  const found = await client.send(
    new GetCommand({ TableName: table, Key: { application, platform }, ConsistentRead: isConsistent }),
  );
  return (found.Item as Row | undefined) ?? null;
}

/**
 * Writes a policy on the condition that its predecessor is still the current one.
 *
 * @param changeId new for each change: tells a lost answer to this write from another writer's change
 * @returns false where another writer was there first
 */
export async function writePolicy(
  client: DynamoDBDocumentClient,
  table: string,
  policy: StoredPolicy,
  changeId: string,
): Promise<boolean> {
  try {
    await client.send(
      new PutCommand({ TableName: table, Item: { ...policy, changeId }, ...stillIs(policy.revision - 1) }),
    );
    return true;
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ConditionalCheckFailedException')) throw error;
    const current = await readRow(client, table, policy, true);
    return current?.changeId === changeId;
  }
}

function stillIs(revision: number) {
  return revision === 0
    ? { ConditionExpression: 'attribute_not_exists(application)' }
    : { ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': revision } };
}
