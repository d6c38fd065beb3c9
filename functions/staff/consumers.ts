import { consumer } from '../../lib/contract/consumer.ts';
import { userPool } from '../../lib/contract/user-pool-uses.ts';
import { adjust, append, discard, get, read, sendTo, withSecret } from '../../lib/contract/uses.ts';
import { Staff } from '../access/data-subject.ts';
import { AuditEvents } from '../audit/tables.ts';
import { RecoveryCodes } from '../auth/tables.ts';
import { MailKey } from '../mail/secrets.ts';
import { MailRecords } from '../mail/tables.ts';
import { AcceptInvitation } from './procedures.ts';
import { AcceptedInvitations } from './queues.ts';
import { StaffAccounts } from './tables.ts';

/** It holds the key of codes and links, with which one could compute those of anybody: a function that anybody can call must not. */
export const acceptInvitation = consumer({
  summary: 'Exchanges the temporary password of a person who accepts an invitation to the staff',
  application: 'medinfo',
  procedure: AcceptInvitation,
  uses: [
    read(MailRecords),
    adjust(MailRecords),
    withSecret(MailKey),
    get(StaffAccounts),
    get(Staff),
    userPool(['authenticate', 'answer-challenge']),
    sendTo(AcceptedInvitations),
  ],
  impact: 'Nobody can accept an invitation to the staff',
});

/** No route leads to it: so what anybody can call writes no row that gives roles. */
export const activateMember = consumer({
  summary: 'Gives a member of staff the roles of the invitation that was accepted',
  application: 'medinfo',
  queue: AcceptedInvitations,
  uses: [
    get(StaffAccounts),
    append(StaffAccounts),
    adjust(StaffAccounts),
    discard(RecoveryCodes),
    append(AuditEvents),
    userPool('read'),
  ],
  batchSize: 1,
  concurrency: 2,
  impact: 'Nobody can accept an invitation to the staff',
});
