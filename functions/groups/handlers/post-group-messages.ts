import { tableExistsIn } from '../../../lib/contract/tables.ts';
import { consumeQueue } from '../../../lib/runtime/consume.ts';
import { sendAll, sqs } from '../../../lib/runtime/sqs.ts';
import { Clock } from '../../time-machine/tables.ts';
import { postGroupMessages } from '../consumers.ts';
import { groupMetrics } from '../metrics.ts';
import { GroupMessageQueue } from '../queues.ts';
import type { Task } from '../rules/task.ts';
import { processBroadcastTask } from '../workflows/process-broadcast-task.ts';

export const handler = consumeQueue(postGroupMessages)(async ({ body, attributes }, bindings) => {
  const { tables, queues, where, now, log, remainingMs } = bindings;
  const send = (tasks: readonly Task[]) => sendAll(queues.GroupMessageQueue, tasks, sqs());
  const isLast = Number(attributes.ApproximateReceiveCount) >= GroupMessageQueue.maxReceives;
  const isDated = !tableExistsIn(Clock, where.environment);
  const work = { tables, send, now, remainingMs, isLast, isDated };
  await processBroadcastTask(JSON.parse(body) as Task, work, ({ posted, skipped, left, failures }) => {
    const counts = { [groupMetrics.posted]: posted, [groupMetrics.skipped]: skipped };
    log({ level: 'INFO', message: 'group message', posted, skipped, left, failed: failures.length }, counts);
  });
});
