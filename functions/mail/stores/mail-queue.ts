import { randomUUID } from 'node:crypto';
import { sendAll } from '../../../lib/runtime/sqs.ts';
import type { Mail, MailKind, QueuedMail } from '../rules/kinds.ts';

/**
 * Has a mail sent. The function declares `sendTo(MailQueue)` and gives the queue's address: `queues.MailQueue`.
 *
 * @throws an Error where SQS does not take it
 */
export async function mailTo<K extends MailKind>(queueUrl: string, mail: Mail<K>): Promise<void> {
  const queued = { ...mail, mailId: randomUUID() } as unknown as QueuedMail;
  await sendAll(queueUrl, [queued]);
}
