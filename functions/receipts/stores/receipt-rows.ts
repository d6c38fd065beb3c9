import { type DynamoDBDocumentClient, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { isContention } from '../../../lib/runtime/failure.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { readVersion } from '../../agreements/exports.ts';
import type { LocalisedContent } from '../../agreements/rules/catalogue.ts';
import { findRecord, readRecordAt } from '../../consents/exports.ts';
import { type ConsentRecord, partitionOf } from '../../consents/rules/record.ts';

/** What a receipt is made of, and the receipts themselves. Every read is strongly consistent. */

export type StoredReceipt = { receiptId: string; issuedAt: string; receipt: string };

type Owner = { userId: string; agreementId: string };

/** A record, and when its row goes: seconds since 1970, null while it is kept. */
export type Kept = { record: ConsentRecord; expiresAt: number | null };

/** What is beside the record in its row is not under its hash. */
export function keptIn({ userAgreement: _key, expiresAt, ...record }: Readonly<Record<string, unknown>>): Kept {
  return { record: record as ConsentRecord, expiresAt: typeof expiresAt === 'number' ? expiresAt : null };
}

/** The latest record of a user and an agreement. */
export async function readLatestRecord(
  client: DynamoDBDocumentClient,
  table: string,
  owner: Owner,
): Promise<Kept | null> {
  const row = await readRecordAt(client, table, { ...owner, at: null });
  return row && keptIn({ ...row });
}

/** The record of that id; null where the user and the agreement have none. */
export async function readRecordOf(
  client: DynamoDBDocumentClient,
  table: string,
  named: Owner & { recordId: string },
): Promise<Kept | null> {
  const row = await findRecord(client, table, named);
  return row && keptIn({ ...row });
}

/** What a record's version says in its locale; null where the catalogue does not have the text that the record names. */
export async function readContent(
  client: DynamoDBDocumentClient,
  table: string,
  { application, locale, contentHash, ...named }: ConsentRecord & { application: string },
): Promise<LocalisedContent | null> {
  const content = (await readVersion(client, table, application, named))?.locales[locale];
  // Title and address of another text would stand beside the hash of the one that was shown.
  return content?.contentHash === contentHash ? content : null;
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

/**
 * The receipts of neighbouring records of one chain, by the time of their record; most records have none.
 *
 * @param partition the chain's
 * @param times of the records, at most some hundred
 */
export async function readStoredReceipts(
  client: DynamoDBDocumentClient,
  table: string,
  partition: string,
  times: readonly string[],
): Promise<Map<string, StoredReceipt>> {
  const ordered = times.toSorted();
  const [first, last] = [ordered[0], ordered.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const rows = await queryAll<StoredReceipt & { readonly recordedAt: string }>(client, {
    TableName: table,
    KeyConditionExpression: 'userAgreement = :partition AND recordedAt BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':partition': partition, ':first': first, ':last': last },
  });
  return new Map(rows.map((row) => [row.recordedAt, row]));
}

/**
 * In a transaction, since nothing is written for a user whose account is closed. It goes when its record does: only the
 * expiry role says when.
 *
 * @returns false where the record has its receipt already, or gets it at this moment
 */
export async function storeReceipt(
  client: DynamoDBDocumentClient,
  table: string,
  { recordedAt, ...owner }: ConsentRecord,
  receipt: StoredReceipt,
): Promise<boolean> {
  const put = {
    TableName: table,
    Item: { userAgreement: partitionOf(owner), recordedAt, ...receipt },
    ConditionExpression: 'attribute_not_exists(userAgreement)',
  };
  try {
    await client.send(new TransactWriteCommand({ TransactItems: [{ Put: put }] }));
    return true;
  } catch (error) {
    if (isContention(error)) return false;
    throw error;
  }
}
