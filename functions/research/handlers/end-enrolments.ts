import { dynamo } from '../../../lib/runtime/clients.ts';
import { consumeStream } from '../../../lib/runtime/consume.ts';
import { endEnrolments } from '../consumers.ts';
import { endBatch } from '../workflows/end-batch.ts';

export const handler = consumeStream(endEnrolments)(async (records, { tables, log }) =>
  endBatch(records, { client: dynamo(), tables, log }),
);
