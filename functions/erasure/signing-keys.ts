import { signingKey } from '../../lib/contract/signing-keys.ts';

/** Signs the tombstones of chains that are gone, for the one function that releases them. */
export const TombstoneKey = signingKey('TombstoneKey', { signs: 'tombstones of consents that were released' });
