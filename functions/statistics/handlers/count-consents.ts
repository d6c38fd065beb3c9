import { consumeStream } from '../../../lib/runtime/consume.ts';
import { countConsents } from '../consumers.ts';
import { countBatch } from '../workflows/count-batch.ts';

export const handler = consumeStream(countConsents)(async (records, { tables, log }) =>
  countBatch(records, { tables, log }),
);
