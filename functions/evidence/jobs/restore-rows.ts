import {
  type AttributeValue,
  type DynamoDBClient,
  type Put,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { type Objects, readObject } from '../../../lib/runtime/objects.ts';

/** `npm run cli -- restore-rows`: puts rows of an append-only table back as the bucket of evidence has them. */

type Item = Record<string, AttributeValue>;
type Change = { readonly before: Item | null; readonly after: Item | null };

export type Restoring = {
  readonly dynamo: DynamoDBClient;
  readonly evidence: Objects;
  readonly table: string;
  /** Names of its key. */
  readonly keys: readonly [string, string];
  readonly isTrial: boolean;
};

/** Of a whole batch of a stream. */
const mostBytes = 100_000_000;

/**
 * A row is put back only if it still is as the attack left it. The watcher reports each row once more, as it reports every
 * change.
 *
 * @param object its key in the bucket of evidence
 * @returns a line for each row
 * @throws an Error if there is no such object
 */
export async function restoreRows(deps: Restoring, object: string): Promise<string[]> {
  const found = await readObject(deps.evidence, object, { most: mostBytes });
  if (!found) throw new Error(`${object}: is not in the bucket of evidence`);
  const { changes } = JSON.parse(found.toString()) as { changes: Change[] };
  const lines: string[] = [];
  for (const [name, ofRow] of Map.groupBy(changes, (change) => nameOf(change, deps.keys))) {
    const before = ofRow[0]?.before ?? null;
    const after = ofRow.at(-1)?.after ?? null;
    lines.push(`${name}: ${before ? await putBack(deps, before, after) : 'was planted, and nobody can delete it'}`);
  }
  return lines;
}

function nameOf({ before, after }: Change, keys: Restoring['keys']): string {
  return keys.map((key) => (after ?? before)?.[key]?.S).join(' ');
}

async function putBack({ dynamo, table, keys, isTrial }: Restoring, before: Item, after: Item | null) {
  if (isTrial) return 'would be put back';
  const Put: Put = { TableName: table, Item: before, ...stillIs(before, after, keys) };
  try {
    await dynamo.send(new TransactWriteItemsCommand({ TransactItems: [{ Put }] }));
    return 'is put back';
  } catch (error) {
    const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
    if (reasons.every(({ Code }) => Code !== 'ConditionalCheckFailed')) throw error;
    return 'is no longer as this object says; it stays as it is';
  }
}

/** The condition that the row is as the attack left it. */
function stillIs(before: Item, after: Item | null, [partition]: Restoring['keys']) {
  if (!after) return { ConditionExpression: `attribute_not_exists(${partition})` };
  const is = Object.keys(after);
  const isNot = Object.keys(before).filter((name) => !(name in after));
  return {
    ConditionExpression: [
      ...is.map((_, index) => `#is${index} = :is${index}`),
      ...isNot.map((_, index) => `attribute_not_exists(#not${index})`),
    ].join(' AND '),
    ExpressionAttributeNames: Object.fromEntries([
      ...is.map((name, index) => [`#is${index}`, name]),
      ...isNot.map((name, index) => [`#not${index}`, name]),
    ]),
    ExpressionAttributeValues: Object.fromEntries(
      is.map((name, index) => [`:is${index}`, after[name]] as [string, AttributeValue]),
    ),
  };
}
