import { serve } from '../../../lib/runtime/serve.ts';
import { readSleepWindowOfPatient } from '../routes.ts';
import { readerLanguage } from '../workflows/reader-language.ts';
import { shownState } from '../workflows/shown-window.ts';
import { readStanding } from '../workflows/sleep-window.ts';

export const handler = serve(readSleepWindowOfPatient)(async ({ params, headers, now, tables }) => {
  const standing = await readStanding(tables, { userId: params.userId, now });
  return shownState(standing, now, readerLanguage(headers['accept-language']), 'physician');
});
