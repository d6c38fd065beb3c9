import { dynamo } from '../../../lib/runtime/clients.ts';
import { etagOf } from '../../../lib/runtime/latest-write.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { readLatest } from '../../../lib/runtime/write-latest.ts';
import { SleepEntryNotFound } from '../errors.ts';
import { readSleepEntry } from '../routes.ts';
import { type EntryRow, isThere, placeOfEntry, shownEntry } from '../stores/entry-rows.ts';

export const handler = serve(readSleepEntry)(async ({ params, caller, tables, fail }) => {
  const row = await readLatest<EntryRow>(dynamo(), placeOfEntry(tables.SleepEntries, caller.userId, params.date));
  return isThere(row) ? { etag: etagOf(row), body: shownEntry(row) } : fail(SleepEntryNotFound);
});
