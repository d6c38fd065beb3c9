import { consumeStream } from '../../../lib/runtime/consume.ts';
import { countEntitlements } from '../consumers.ts';
import { entitlements } from '../rules/sources.ts';
import { countBatch } from '../workflows/count-things.ts';

export const handler = consumeStream(countEntitlements)(async (records, { tables }) => {
  await countBatch(records, { tables, of: tables.Entitlements, source: entitlements });
  return null;
});
