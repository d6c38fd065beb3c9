import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DynamoDBDocumentClient, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Unavailable } from '../../../lib/contract/common-errors.ts';
import type { Application } from '../../../lib/contract/deployments.ts';
import { Failure, isContention } from '../../../lib/runtime/failure.ts';
import { auditEvent, auditPut } from '../../audit/rules/audit-event.ts';
import { readAppVersionPolicy } from '../routes.ts';
import type { Platform, StoredPolicy } from '../rules/policy.ts';

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

/** A row as it is, also one that is no policy of today's form, so that it can be replaced. */
export type PolicyRow = { revision: number; changeId: string };

export async function readRow(
  client: DynamoDBDocumentClient,
  table: string,
  { application, platform }: PolicyKey,
  isConsistent = true,
): Promise<PolicyRow | null> {
  const found = await client.send(
    new GetCommand({ TableName: table, Key: { application, platform }, ConsistentRead: isConsistent }),
  );
  return (found.Item as PolicyRow | undefined) ?? null;
}

type Tables = { readonly AppVersionPolicies: string; readonly AuditEvents: string };
type Write = {
  readonly policy: StoredPolicy;
  /** New for each change: tells a lost answer to this write from another writer's change. */
  readonly changeId: string;
  readonly audit: Omit<Parameters<typeof auditEvent>[0], 'random'>;
};

/** Times that a write is tried again where another one was under way, which may yet fail. */
const retries = 5;

/**
 * Writes a policy and its audit event, both or neither, on the condition that the policy's predecessor is still the
 * current one.
 *
 * @returns false where another writer was there first
 * @throws a Failure `UNAVAILABLE` where contention outlasts the attempts
 */
export async function writePolicy(client: DynamoDBDocumentClient, tables: Tables, write: Write): Promise<boolean> {
  const { policy, changeId } = write;
  for (let attempt = 0; attempt <= retries; attempt += 1) {
    if (attempt > 0) await sleep(Math.random() * 20 * 2 ** attempt);
    if (await isWritten(client, tables, write)) return true;
    const current = await readRow(client, tables.AppVersionPolicies, policy);
    if (current?.changeId === changeId) return true;
    if ((current?.revision ?? 0) !== policy.revision - 1) return false;
  }
  throw new Failure(Unavailable);
}

async function isWritten(client: DynamoDBDocumentClient, tables: Tables, { policy, changeId, audit }: Write) {
  const event = auditEvent({ ...audit, random: randomUUID() });
  const Item = { ...policy, changeId };
  try {
    await client.send(
      new TransactWriteCommand({
        ClientRequestToken: randomUUID(),
        TransactItems: [
          { Put: { TableName: tables.AppVersionPolicies, Item, ...stillIs(policy.revision - 1) } },
          auditPut(tables.AuditEvents, event),
        ],
      }),
    );
    return true;
  } catch (error) {
    if (isContention(error)) return false;
    throw error;
  }
}

function stillIs(revision: number) {
  return revision === 0
    ? { ConditionExpression: 'attribute_not_exists(application)' }
    : { ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': revision } };
}
