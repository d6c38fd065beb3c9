import { prefers } from '../../../lib/runtime/accept.ts';
import { Representation } from '../../../lib/runtime/representation.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { readSleepReportOfPatient } from '../routes.ts';
import { reportPage } from '../rules/report-page.ts';
import { shownEntry } from '../stores/entry-rows.ts';
import { readerLanguage } from '../workflows/reader-language.ts';
import { shownState } from '../workflows/shown-window.ts';
import { readNights, summaryWithin } from '../workflows/sleep-summary.ts';
import { readStanding } from '../workflows/sleep-window.ts';

export const handler = serve(readSleepReportOfPatient)(async ({ params, query, headers, now, tables }) => {
  const { userId } = params;
  const { from, to } = query;
  const [found, standing] = await Promise.all([
    readNights(tables, { userId, from, to }),
    readStanding(tables, { userId, now }),
  ]);
  const language = readerLanguage(headers['accept-language'], query.locale);
  const summary = summaryWithin(found, { from, to, by: 'week' });
  if (!prefers(headers.accept, 'text/html')) {
    return {
      from,
      to,
      summary,
      window: shownState(standing, now, language, 'physician'),
      entries: found.rows.map(shownEntry),
    };
  }
  const { current: window, status, suspended, measurements, today } = standing;
  const on = today ?? now.toISOString().slice(0, 10);
  const shown = { userId, from, to, on, entries: found.rows, summary, window, status, suspended, measurements };
  const page = reportPage(shown, language);
  return new Representation('text/html', page);
});
