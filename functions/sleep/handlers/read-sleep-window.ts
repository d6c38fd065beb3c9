import { serve } from '../../../lib/runtime/serve.ts';
import { readSleepWindow } from '../routes.ts';
import { readerLanguage } from '../workflows/reader-language.ts';
import { shownState } from '../workflows/shown-window.ts';
import { readStanding } from '../workflows/sleep-window.ts';

export const handler = serve(readSleepWindow)(async ({ caller, headers, now, tables }) => {
  const standing = await readStanding(tables, { userId: caller.userId, now });
  return shownState(standing, now, readerLanguage(headers['accept-language']), 'screening');
});
