import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Items } from '../../../lib/runtime/commit.ts';
import type { Progress } from '../../questionnaires/rules.ts';
import type { Frame } from '../rules/response.ts';
import { type Claim, claimKey } from './response-rows.ts';

/** Each occurrence of a questionnaire takes one response: the write of a response claims the occurrence in the same transaction. */

export async function readClaim(
  client: DynamoDBDocumentClient,
  table: string,
  key: { userId: string; occurrenceId: string; questionnaireId: string },
): Promise<Claim | null> {
  const Key = claimKey(key.userId, key.occurrenceId, key.questionnaireId);
  const found = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return (found.Item as Claim | undefined) ?? null;
}

/** @param read the claim from which the decision was made */
export function putClaim(
  table: string,
  userId: string,
  { occurrenceId, questionnaireId, responseId }: Pick<Frame, 'occurrenceId' | 'questionnaireId' | 'responseId'>,
  status: Progress,
  read: Claim | null,
): Items {
  if (occurrenceId === null) return [];
  const Item = { ...claimKey(userId, occurrenceId, questionnaireId), responseId, status };
  return [{ Put: { TableName: table, Item, ...isStill(read) } }];
}

/** The claim of a deleted draft is removed, so that another response can claim the occurrence. */
export function dropClaim(
  table: string,
  userId: string,
  { occurrenceId, questionnaireId, responseId }: Pick<Frame, 'occurrenceId' | 'questionnaireId' | 'responseId'>,
): Items {
  if (occurrenceId === null) return [];
  const Key = claimKey(userId, occurrenceId, questionnaireId);
  return [{ Delete: { TableName: table, Key, ...isStill({ responseId, status: 'draft' }) } }];
}

function isStill(claim: Claim | null) {
  if (!claim) return { ConditionExpression: 'attribute_not_exists(part)' };
  return {
    ConditionExpression: 'responseId = :responseId AND #status = :status',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':responseId': claim.responseId, ':status': claim.status },
  };
}
