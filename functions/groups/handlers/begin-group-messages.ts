import { consumeStream } from '../../../lib/runtime/consume.ts';
import { sendAll, sqs } from '../../../lib/runtime/sqs.ts';
import { beginGroupMessages } from '../consumers.ts';
import { acceptedIn } from '../rules/accepted.ts';
import type { Task } from '../rules/task.ts';

export const handler = consumeStream(beginGroupMessages)(async (records, { queues, log }) => {
  const tasks = acceptedIn(records).map((named): Task => ({ do: 'list', ...named, from: 0 }));
  await sendAll(queues.GroupMessageQueue, tasks, sqs());
  log({ level: 'INFO', message: 'group messages', begun: tasks.length });
  return null;
});
