import { runOnSchedule } from '../../../lib/runtime/run-on-schedule.ts';
import { watchFlags } from '../consumers.ts';
import { openFlags } from '../metrics.ts';
import { countOpen } from '../stores/flag-rows.ts';

export const handler = runOnSchedule(watchFlags)(async ({ tables, log }) => {
  const open = await countOpen(tables.QuestionnaireFlags);
  log({ level: open > 0 ? 'WARN' : 'INFO', message: 'flags' }, { [openFlags]: open });
  return { open };
});
