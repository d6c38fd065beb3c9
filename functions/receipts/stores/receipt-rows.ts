import { commit } from '../../../lib/runtime/commit.ts';
import { ifAbsent } from '../../../lib/runtime/conditions.ts';
import { between, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { get, put } from '../../../lib/runtime/rows.ts';
import type { ConsentRecord, ConsentRecords } from '../../access/consent-states.ts';
import { readVersion } from '../../agreements/exports.ts';
import type { LocalisedContent } from '../../agreements/rules.ts';
import type { Agreements } from '../../agreements/tables.ts';
import { findRecord, readRecord, readRecordAt } from '../../consents/exports.ts';
import { partitionOf } from '../../consents/rules.ts';
import type { StoredReceipt } from '../rules/stored-receipt.ts';
import type { ConsentReceipts } from '../tables.ts';

/** The data for a receipt, and the receipts themselves. Every read is strongly consistent. */

type Owner = { userId: string; agreementId: string };

/** A record, and when its row expires: seconds since 1970, null while it is kept. */
export type Kept = { record: ConsentRecord; expiresAt: number | null };

/** The other attributes of the row are not part of the record's hash. */
export function keptIn({ userAgreement: _key, expiresAt, ...record }: Readonly<Record<string, unknown>>): Kept {
  return { record: record as ConsentRecord, expiresAt: typeof expiresAt === 'number' ? expiresAt : null };
}

/** The latest record of a user and an agreement. */
export async function readLatestRecord(table: ConsentRecords<'query'>, owner: Owner): Promise<Kept | null> {
  const row = await readRecordAt(table, { ...owner, at: null });
  return row && keptIn({ ...row });
}

/** The record of that time; null if the user has none for the agreement. */
export async function readRecordKept(
  table: ConsentRecords<'get'>,
  named: Owner & { readonly recordedAt: string },
): Promise<Kept | null> {
  const row = await readRecord(table, named);
  return row && keptIn({ ...row });
}

/** The record with that id; null if the user has none for the agreement. */
export async function readRecordOf(
  table: ConsentRecords<'query'>,
  named: Owner & { recordId: string },
): Promise<Kept | null> {
  const row = await findRecord(table, named);
  return row && keptIn({ ...row });
}

/** The text of a record's version in its locale; null if the catalogue does not have the text that the record names. */
export async function readContent(
  table: Agreements<'get'>,
  { application, locale, contentHash, ...named }: ConsentRecord & { application: string },
): Promise<LocalisedContent | null> {
  const content = (await readVersion(table, application, named))?.locales[locale];
  // Otherwise the title and address of another text would be next to the hash of the text that was shown.
  return content?.contentHash === contentHash ? content : null;
}

export async function readStoredReceipt(
  table: ConsentReceipts<'get'>,
  { recordedAt, ...owner }: ConsentRecord,
): Promise<StoredReceipt | null> {
  return get(table, { userAgreement: partitionOf(owner), recordedAt });
}

/**
 * The receipts of neighbouring records of one chain, by the time of their record; most records have none.
 *
 * @param partition the chain's
 * @param times of the records, at most some hundred
 */
export async function readStoredReceipts(
  table: ConsentReceipts<'query'>,
  partition: string,
  times: readonly string[],
): Promise<Map<string, StoredReceipt>> {
  const ordered = times.toSorted();
  const [first, last] = [ordered[0], ordered.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const rows = await queryAll(table, inPartition({ userAgreement: partition }, { recordedAt: between(first, last) }));
  return new Map(rows.map((row) => [row.recordedAt, row]));
}

/**
 * In a transaction, since nothing is written for a user whose account is closed. The receipt is deleted with its
 * record: only the expiry role decides when.
 *
 * @returns false if the record already has its receipt, or gets one at this moment
 */
export async function storeReceipt(
  table: ConsentReceipts<'put'>,
  { recordedAt, ...owner }: ConsentRecord,
  receipt: StoredReceipt,
): Promise<boolean> {
  const row = { userAgreement: partitionOf(owner), recordedAt, ...receipt };
  return commit([put(table, row, ifAbsent('userAgreement'))]);
}
