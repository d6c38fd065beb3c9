import { randomBytes } from 'node:crypto';
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { keyBytes } from '../rules/pseudonym.ts';

/** Table `StudyKeys`. A key is put once, and nothing deletes it: without it nobody could say whose a pseudonym is. */

/** Strongly consistent. */
export async function readStudyKey(
  client: DynamoDBDocumentClient,
  table: string,
  studyId: string,
): Promise<Uint8Array | null> {
  const found = await client.send(new GetCommand({ TableName: table, Key: { studyId }, ConsistentRead: true }));
  return (found.Item?.secret as Uint8Array | undefined) ?? null;
}

/** The item of the transaction that creates the study: no function that participants call can choose or replace its key. */
export function putStudyKey(TableName: string, studyId: string) {
  const Item = { studyId, secret: new Uint8Array(randomBytes(keyBytes)) };
  return { Put: { TableName, Item } };
}
