import { Accounts } from '../../lib/contract/accounts.ts';
import { consumer } from '../../lib/contract/consumer.ts';
import { StaffAccounts } from '../../lib/contract/staff-accounts.ts';
import { userPool } from '../../lib/contract/user-pool-uses.ts';
import { append, check, get, read, sendsMail, withSecret, write } from '../../lib/contract/uses.ts';
import { AgentBoardMessages } from '../agent-board/tables.ts';
import { Devices } from '../devices/tables.ts';
import { Users } from '../users/tables.ts';
import { MailQueue } from './queues.ts';
import { MailKey } from './secrets.ts';
import { MailRecords } from './tables.ts';

/** The only function that can send mail. One for both applications: a mail says whose it is. */
export const sendMail = consumer({
  summary: 'Makes the code of a mail and sends the mail',
  application: 'sleepcare',
  queue: MailQueue,
  uses: [
    write(MailRecords),
    read(Users),
    read(StaffAccounts),
    read(Devices),
    get(AgentBoardMessages),
    append(AgentBoardMessages),
    check(Accounts),
    withSecret(MailKey),
    userPool('read'),
    sendsMail(),
  ],
  batchSize: 5,
  concurrency: 5,
  impact: 'Nobody can sign up or reset a password: codes do not come',
});
