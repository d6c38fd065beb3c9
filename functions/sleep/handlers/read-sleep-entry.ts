import { etagOf } from '../../../lib/runtime/last-write-wins.ts';
import { readLatest } from '../../../lib/runtime/last-write-wins-rows.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { SleepEntryNotFound } from '../errors.ts';
import { readSleepEntry } from '../routes.ts';
import { isThere, shownEntry } from '../stores/entry-rows.ts';
import type { EntryRow } from '../tables.ts';

export const handler = serve(readSleepEntry)(async ({ params, caller, tables, fail }) => {
  const row = await readLatest<EntryRow>({
    table: tables.SleepEntries,
    key: { userId: caller.userId, date: params.date },
  });
  return isThere(row) ? { etag: etagOf(row), body: shownEntry(row) } : fail(SleepEntryNotFound);
});
