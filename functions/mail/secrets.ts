import { secret } from '../../lib/contract/secrets.ts';

/** Without it nobody can say which code or link a mail carried, nor whose address a row is about, whatever tables they read. */
export const MailKey = secret('MailKey', {
  does: 'makes and hashes the codes that are sent by mail',
  // Links that undo a change of the address live longest, 7 days.
  lifeDays: 8,
});
