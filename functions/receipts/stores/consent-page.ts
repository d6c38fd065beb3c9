import type { ExportDependencies, ExportWriter } from '../../../lib/runtime/exporter.ts';
import { above, inPartition } from '../../../lib/runtime/key-range.ts';
import { query } from '../../../lib/runtime/rows.ts';
import type { ConsentRecords, ConsentStates } from '../../access/consent-states.ts';
import { readAgreement } from '../../agreements/exports.ts';
import type { Agreements } from '../../agreements/tables.ts';
import { partitionOf } from '../../consents/rules.ts';
import {
  footOfAgreement,
  footOfList,
  headOfAgreement,
  headOfList,
  itemsOfList,
  type Listed,
} from '../rules/consent-list.ts';
import type { ConsentReceipts } from '../tables.ts';
import { keptIn, readContent, readStoredReceipts } from './receipt-rows.ts';

type ConsentPageTables = {
  readonly ConsentStates: ConsentStates<'query'>;
  readonly ConsentRecords: ConsentRecords<'query'>;
  readonly ConsentReceipts: ConsentReceipts<'query'>;
  readonly Agreements: Agreements<'get' | 'query'>;
};
type ConsentPageDependencies = ExportDependencies<ConsentPageTables>;
type Row = Readonly<Record<string, unknown>>;

/** Records at a time: an agreement usually has a few, but a user can add any number. */
const pageRecords = 200;

/**
 * The page on consents of a personal export. The position is the agreement that is being written and its last written
 * record; an agreement is finished when it has no more records.
 */
export const writeConsentPage: ExportWriter<ConsentPageTables> = async (from, person, after) => {
  const { userId, locale, timeZone } = person;
  const start = after === null ? headOfList(locale, timeZone) : '';
  const last = after?.recordedAt == null ? null : String(after.recordedAt);
  const done = after === null ? null : String(after.agreementId);
  const agreementId = last === null ? await nextAgreement(from, userId, done) : done;
  if (agreementId === null) return { text: start + footOfList(locale, after === null), next: null };
  const owner = { userId, agreementId };
  const { rows, hasMore } = await readRecords(from, partitionOf(owner), last);
  const listed = await withTexts(from, person.application, partitionOf(owner), rows);
  const head = last === null ? headOfAgreement(agreementId, await titleOf(from, person.application, agreementId)) : '';
  const text = start + head + itemsOfList(listed, locale, timeZone) + (hasMore ? '' : footOfAgreement);
  return { text, next: { agreementId, recordedAt: hasMore ? String(rows.at(-1)?.recordedAt) : null } };
};

async function nextAgreement(
  { tables }: ConsentPageDependencies,
  userId: string,
  after: string | null,
): Promise<string | null> {
  const { Items = [] } = await query(tables.ConsentStates, {
    // Sorts before every id, since no key is empty.
    ...inPartition({ userId }, { agreementId: above(after ?? ' ') }),
    Limit: 1,
  });
  return Items[0] ? String(Items[0].agreementId) : null;
}

async function readRecords({ tables }: ConsentPageDependencies, partition: string, after: string | null) {
  const { Items = [], LastEvaluatedKey } = await query(tables.ConsentRecords, {
    ...laterThan(partition, after),
    Limit: pageRecords,
  });
  return { rows: Items, hasMore: LastEvaluatedKey !== undefined };
}

function laterThan(partition: string, after: string | null) {
  return inPartition({ userAgreement: partition }, { recordedAt: above(after ?? ' ') });
}

/**
 * Each record with the title of its text, and with its receipt if there is one. Neighbouring records mostly have the same
 * version.
 */
async function withTexts(
  from: ConsentPageDependencies,
  application: string,
  partition: string,
  rows: Row[],
): Promise<Listed[]> {
  const times = rows.map(({ recordedAt }) => String(recordedAt));
  const receipts = await readStoredReceipts(from.tables.ConsentReceipts, partition, times);
  const texts = new Map<string, Listed['text']>();
  const listed: Listed[] = [];
  for (const row of rows) {
    const { record } = keptIn(row);
    const key = JSON.stringify([record.versionId, record.locale, record.contentHash]);
    if (!texts.has(key)) texts.set(key, await readContent(from.tables.Agreements, { ...record, application }));
    listed.push({ record, text: texts.get(key) ?? null, receipt: receipts.get(record.recordedAt)?.receipt ?? null });
  }
  return listed;
}

async function titleOf({ tables }: ConsentPageDependencies, application: string, agreementId: string): Promise<string> {
  return (await readAgreement(tables.Agreements, application, agreementId))?.agreement.title ?? agreementId;
}
