import { secret } from '../../lib/contract/secrets.ts';

/** Without it nobody can say which code a mail carried, nor whose address a row is about, whatever tables they read. */
export const MailKey = secret('MailKey', { does: 'makes and hashes the codes that are sent by mail' });
