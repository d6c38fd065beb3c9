import { consumeStream } from '../../../lib/runtime/consume.ts';
import { sqs } from '../../../lib/runtime/sqs.ts';
import { dispatchPushes } from '../consumers.ts';
import { dispatch } from '../workflows/queue-pushes.ts';

export const handler = consumeStream(dispatchPushes)(async (records, { tables, queues, log }) =>
  dispatch(records, { devices: tables.Devices, sqs: sqs(), queueUrl: queues.PushQueue, log }),
);
