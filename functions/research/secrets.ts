import { secret } from '../../lib/contract/secrets.ts';

/** Without it nobody can say of a guess whether it is a code, whatever tables they read. */
export const StudyCodeKey = secret('StudyCodeKey', { does: 'hashes codes of studies and invitations' });
