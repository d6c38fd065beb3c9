import { consumer } from '../../lib/contract/consumer.ts';
import { StaffAccounts } from '../../lib/contract/staff-accounts.ts';
import { userPool } from '../../lib/contract/user-pool-uses.ts';
import { adjust, append, get, joined, read, replace, sendTo, withSecret } from '../../lib/contract/uses.ts';
import { Staff } from '../access/data-subject.ts';
import { SignInKey } from '../auth/secrets.ts';
import { SignInTries } from '../auth/tables.ts';
import { endingUses } from '../auth/uses.ts';
import { MailQueue } from '../mail/queues.ts';
import { MailKey } from '../mail/secrets.ts';
import { MailRecords } from '../mail/tables.ts';
import { Users } from '../users/tables.ts';
import { EnrolUser, ReplacePassword, TakeAccountBack } from './procedures.ts';

/** They hold the rights in the user pool that anybody's request needs: a function that anybody can call holds none of them. */

const withCodes = [read(MailRecords), adjust(MailRecords), withSecret(MailKey)] as const;

export const enrolUser = consumer({
  summary: 'Makes the account of a person who enters the code of the mail',
  application: 'sleepcare',
  procedure: EnrolUser,
  uses: joined(withCodes, [read(Users), append(Users), userPool(['create', 'read', 'add-to-group', 'set-password'])]),
  impact: 'Nobody can sign up',
});

export const replacePassword = consumer({
  summary: 'Sets a new password of a person who enters the code of the mail, and ends all sessions',
  application: 'all',
  procedure: ReplacePassword,
  uses: joined(joined(endingUses, withCodes), [
    read(SignInTries),
    append(SignInTries),
    withSecret(SignInKey),
    get(StaffAccounts),
    get(Staff),
    userPool(['read', 'set-password', 'end-sessions']),
    sendTo(MailQueue),
  ]),
  impact: 'Nobody can reset a forgotten password',
});

export const takeAccountBack = consumer({
  summary: 'Ends all sessions and the password of a person who follows the link of a mail about the account',
  application: 'all',
  procedure: TakeAccountBack,
  uses: joined(joined(endingUses, withCodes), [
    read(Users),
    replace(Users),
    userPool(['read', 'set-password', 'end-sessions', 'set-address']),
    sendTo(MailQueue),
  ]),
  impact: 'Nobody can end what a thief does with their account; an operator can disable it',
});
