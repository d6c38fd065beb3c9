import { signingKey } from '../../lib/contract/signing-keys.ts';

/** Signs what operators bring in from another system, and which tombstones count for nothing, with their own credentials: no function may sign with it. */
export const ImportKey = signingKey('ImportKey', { signs: 'manifests of imported consents' });

/** Signs the tombstones of chains that are gone, for the one function that releases them. */
export const TombstoneKey = signingKey('TombstoneKey', { signs: 'tombstones of consents that were released' });

/** Signs the ledger's checkpoints. */
export const LedgerKey = signingKey('LedgerKey', { signs: 'checkpoints of the consent ledger' });
