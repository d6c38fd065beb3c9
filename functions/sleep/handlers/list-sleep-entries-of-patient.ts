import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { lambdaWithAccess } from '../../access/check.ts';
import { listSleepEntriesOfPatient } from '../routes.ts';
import { readEntryPage, shownEntry } from '../stores/entry-rows.ts';

export const handler = servePages(
  listSleepEntriesOfPatient,
  lambdaWithAccess,
)(async ({ params, query, page, tables }) => {
  const asked = { userId: params.userId, from: query.from, to: query.to };
  const after = page.after ? String(page.after.date) : null;
  const { entries, next } = await readEntryPage(tables.SleepEntries, asked, { limit: page.limit, after });
  return { items: entries.map(shownEntry), next: next === null ? null : { date: next } };
});
