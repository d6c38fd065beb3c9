import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { commit } from '../../../lib/runtime/commit.ts';
import { listVersions, type Objects } from '../../../lib/runtime/objects.ts';
import type { RowChange } from '../../consent-events/rules.ts';
import { begunBelow } from '../../evidence/rules.ts';
import { isId } from '../rules/flag-image.ts';

/** What those use who guard flags and completed answers. */

type GuardTables =
  | 'QuestionnaireFlags'
  | 'QuestionnaireResponses'
  | 'Questionnaires'
  | 'FlagDecisions'
  | 'QuestionnaireEvidence'
  | 'Accounts';

export type Guards = {
  readonly client: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<GuardTables, string>>;
  /** The bucket of evidence. */
  readonly evidence: Objects;
  readonly now: () => Date;
};

/**
 * Whether an erasure of the user has begun, which removes rows. Only the erasing function can store this object, before it
 * removes the first row.
 */
export async function isErasureBegun({ evidence }: Guards, userId: string): Promise<boolean> {
  if (!isId(userId)) return false;
  for await (const { key, versions } of listVersions(evidence, begunBelow(userId))) {
    if (key.endsWith('.begun.json') && versions.length > 0) return true;
  }
  return false;
}

/** A row has at most 400 KB. What our functions write is shorter. */
const mostBytes = 180_000;

type Change = RowChange & { readonly eventId: string; readonly table: string; readonly suspicion: string };

/** The rows as they were, until the erasure of the user: they say something about health, so no bucket keeps them for years. */
export async function layEvidence({ client, tables, now }: Guards, userId: string, change: Change): Promise<void> {
  const { eventId, table, suspicion, OldImage = null, NewImage = null } = change;
  const [before, after] = [OldImage, NewImage].map(
    (image) => image && Buffer.from(JSON.stringify(image)).subarray(0, mostBytes).toString(),
  );
  const at = now().toISOString();
  const Item = { userId, change: `${table}#${eventId}`, at, table, suspicion, before, after };
  // A batch that comes again has laid it already.
  const isNew = { ConditionExpression: 'attribute_not_exists(userId)' };
  await commit(client, [{ Put: { TableName: tables.QuestionnaireEvidence, Item, ...isNew } }]);
}
