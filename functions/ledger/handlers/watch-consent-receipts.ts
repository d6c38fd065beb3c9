import { consumeStream } from '../../../lib/runtime/consume.ts';
import { readVersionName } from '../../agreements/exports.ts';
import { isReceiptOf, keptKeys, readContent, readRecordKept } from '../../receipts/exports.ts';
import type { StoredReceipt } from '../../receipts/rules.ts';
import { watchConsentReceipts } from '../consumers.ts';
import { ownerOf } from '../rules/finding.ts';
import { watchChanges } from '../workflows/watch-changes.ts';
import { watchedReceipts } from '../workflows/watched-tables.ts';
import { watchingFor } from '../workflows/watching.ts';

export const handler = consumeStream(watchConsentReceipts)((records, bindings) => {
  const { tables, where, now } = bindings;
  // Otherwise a row of the right form would be found only when its user asks for the receipt, and then be 500 for good.
  const isGenuine = async (row: Readonly<Record<string, unknown>>) => {
    const named = { ...ownerOf(String(row.userAgreement)), recordedAt: String(row.recordedAt) };
    const kept = await readRecordKept(tables.ConsentRecords, named);
    if (kept === null) return false;
    const application = (await readVersionName(tables.Agreements, kept.record.versionId))?.owner ?? null;
    const content = application && (await readContent(tables.Agreements, { ...kept.record, application }));
    const said = { application, content: content || null };
    const known = { ...where, ...said, keys: keptKeys(bindings).including, realNow: now() };
    return isReceiptOf(known, row as StoredReceipt, kept.record);
  };
  return watchChanges(records, watchedReceipts, { ...watchingFor(bindings), isGenuine });
});
