import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { keyedHash } from '../../../lib/runtime/keyed.ts';
import type { Code } from '../rules/enrolment.ts';

/** Table `StudyCodes`: codes of studies and invitations, by their hashes. */

/** The id of a code: HMAC-SHA-256, in hexadecimal. */
export function codeIdOf(secret: string, code: string): string {
  return keyedHash(secret, 'study-code hash', code);
}

/** Strongly consistent. */
export async function readCodeRow(client: DynamoDBDocumentClient, table: string, codeId: string): Promise<Code | null> {
  const found = await client.send(new GetCommand({ TableName: table, Key: { codeId }, ConsistentRead: true }));
  return (found.Item as Code | undefined) ?? null;
}

/** The item of a transaction. */
export function putNewCode(TableName: string, code: Code) {
  return { Put: { TableName, Item: code, ConditionExpression: 'attribute_not_exists(codeId)' } };
}

/** The item of a transaction that takes a code out of use. */
export function deleteCode(TableName: string, codeId: string) {
  return { Delete: { TableName, Key: { codeId } } };
}

/** The item of the join by an invitation: once. */
export function putUsedInvitation(TableName: string, { usedAt: _usedAt, ...invitation }: Code, usedAt: string) {
  return {
    Put: {
      TableName,
      Item: { ...invitation, usedAt },
      ConditionExpression: 'attribute_exists(codeId) AND attribute_not_exists(usedAt)',
    },
  };
}
