import { consumer } from '../../lib/contract/consumer.ts';
import { StaffAccounts } from '../../lib/contract/staff-accounts.ts';
import { get, read, sendsMail, userPool, withSecret, write } from '../../lib/contract/uses.ts';
import { Users } from '../users/tables.ts';
import { MailQueue } from './queues.ts';
import { MailKey } from './secrets.ts';
import { MailRecords } from './tables.ts';

/** The only function that can send mail. One for both applications: a mail says whose it is. */
export const sendMail = consumer({
  summary: 'Makes the code of a mail and sends the mail',
  application: 'sleepcare',
  queue: MailQueue,
  uses: [write(MailRecords), read(Users), get(StaffAccounts), withSecret(MailKey), userPool('read'), sendsMail()],
  batchSize: 5,
  concurrency: 5,
  impact: 'Nobody can sign up or reset a password: codes do not come',
});
