import { secret } from '../../lib/contract/secrets.ts';

/** Without it nobody can say of a guess whether it is a code, whatever tables they read. */
export const StudyCodeKey = secret('StudyCodeKey', {
  does: 'hashes codes of studies and invitations',
  // Codes have no end. In a year staff make new ones for whoever was invited and did not come.
  lifeDays: 365,
});
