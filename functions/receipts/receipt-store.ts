import { type DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { LocalisedContent, Version } from '../agreements/catalogue.ts';
import { agreementKey, versionKey } from '../agreements/catalogue-keys.ts';
import type { ConsentRecord } from '../agreements/record.ts';

/** What a receipt is made of, and the receipts themselves. Every read is strongly consistent. */

export type StoredReceipt = { receiptId: string; issuedAt: string; receipt: string };

type Owner = { userId: string; agreementId: string };

function partitionOf({ userId, agreementId }: Owner): string {
  return `${userId}#${agreementId}`;
}

/** The latest record of a user and an agreement. */
export async function readLatestRecord(
  client: DynamoDBDocumentClient,
  table: string,
  owner: Owner,
): Promise<ConsentRecord | null> {
  const found = await client.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'userAgreement = :userAgreement',
      ExpressionAttributeValues: { ':userAgreement': partitionOf(owner) },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: 1,
    }),
  );
  const [row] = found.Items ?? [];
  if (!row) return null;
  // What is beside the record in its row is not under its hash.
  const { userAgreement: _key, expiresAt: _expiry, ...record } = row;
  return record as ConsentRecord;
}

/** What a version says in a locale; null where the catalogue does not have it. */
export async function readContent(
  client: DynamoDBDocumentClient,
  table: string,
  {
    application,
    agreementId,
    versionId,
    locale,
  }: Omit<Owner, 'userId'> & { application: string; versionId: string; locale: string },
): Promise<LocalisedContent | null> {
  const Key = { application, catalogueKey: versionKey(agreementId, versionId) };
  const found = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return (found.Item as Version | undefined)?.locales[locale] ?? null;
}

export async function hasAgreement(
  client: DynamoDBDocumentClient,
  table: string,
  application: string,
  agreementId: string,
): Promise<boolean> {
  const Key = { application, catalogueKey: agreementKey(agreementId) };
  const found = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return found.Item !== undefined;
}

export async function readStoredReceipt(
  client: DynamoDBDocumentClient,
  table: string,
  { recordedAt, ...owner }: ConsentRecord,
): Promise<StoredReceipt | null> {
  const Key = { userAgreement: partitionOf(owner), recordedAt };
  const found = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return (found.Item as StoredReceipt | undefined) ?? null;
}

/** @returns false where the record has its receipt already */
export async function storeReceipt(
  client: DynamoDBDocumentClient,
  table: string,
  { recordedAt, ...owner }: ConsentRecord,
  receipt: StoredReceipt,
): Promise<boolean> {
  try {
    await client.send(
      new PutCommand({
        TableName: table,
        Item: { userAgreement: partitionOf(owner), recordedAt, ...receipt },
        ConditionExpression: 'attribute_not_exists(userAgreement)',
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'ConditionalCheckFailedException') return false;
    throw error;
  }
}
