import { serve } from '../../../lib/runtime/serve.ts';
import { listSleepEntries } from '../routes.ts';
import { readEntryPage, shownEntry } from '../stores/entry-rows.ts';

export const handler = serve(listSleepEntries)(async ({ caller, query, page, tables }) => {
  const asked = { userId: caller.userId, from: query.from, to: query.to };
  const { entries, next } = await readEntryPage(tables.SleepEntries, asked, page);
  return { items: entries.map(shownEntry), next };
});
