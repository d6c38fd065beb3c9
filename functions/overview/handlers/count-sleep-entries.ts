import { consumeStream } from '../../../lib/runtime/consume.ts';
import { countSleepEntries } from '../consumers.ts';
import { sleepEntries } from '../rules/sources.ts';
import { countBatch } from '../workflows/count-things.ts';

export const handler = consumeStream(countSleepEntries)(async (records, { tables }) => {
  await countBatch(records, { tables, of: tables.SleepEntries, source: sleepEntries });
  return null;
});
