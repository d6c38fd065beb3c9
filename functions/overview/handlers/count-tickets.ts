import { consumeStream } from '../../../lib/runtime/consume.ts';
import { countTickets } from '../consumers.ts';
import { tickets } from '../rules/sources.ts';
import { countBatch } from '../workflows/count-things.ts';

export const handler = consumeStream(countTickets)(async (records, { tables }) => {
  await countBatch(records, { tables, of: tables.SupportTickets, source: tickets });
  return null;
});
