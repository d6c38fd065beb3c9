import { consumeStream } from '../../../lib/runtime/consume.ts';
import { countUsers } from '../consumers.ts';
import { users } from '../rules/sources.ts';
import { countBatch } from '../workflows/count-things.ts';

export const handler = consumeStream(countUsers)(async (records, { tables }) => {
  await countBatch(records, { tables, of: tables.UserDirectory, source: users });
  return null;
});
