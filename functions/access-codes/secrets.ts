import { secret } from '../../lib/contract/secrets.ts';

/** Without it nobody can say of a guess whether it is a code, whatever tables they read. */
// A code that was redeemed must be known as such for good.
export const AccessCodeKey = secret('AccessCodeKey', { does: 'hashes and seals access codes', lifeDays: null });
