import { consumeStream } from '../../../lib/runtime/consume.ts';
import { sendAll, sqs } from '../../../lib/runtime/sqs.ts';
import { enqueueWithdrawals } from '../consumers.ts';
import { leaverIn } from '../rules/leaver.ts';

export const handler = consumeStream(enqueueWithdrawals)(async (records, { queues, log }) => {
  const leavers = records.map(leaverIn).filter((leaver) => leaver !== null);
  await sendAll(queues.ResearchExportQueue, leavers, sqs());
  log({ level: 'INFO', message: 'withdrawals', count: leavers.length });
  return null;
});
