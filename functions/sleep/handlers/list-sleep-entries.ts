import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { listSleepEntries } from '../routes.ts';
import { readEntryPage, shownEntry } from '../stores/entry-rows.ts';

export const handler = servePages(
  listSleepEntries,
  lambdaWithClock,
)(async ({ caller, query, page, tables }) => {
  const asked = { userId: caller.userId, from: query.from, to: query.to };
  const after = page.after ? String(page.after.date) : null;
  const { entries, next } = await readEntryPage(tables.SleepEntries, asked, { limit: page.limit, after });
  return { items: entries.map(shownEntry), next: next === null ? null : { date: next } };
});
