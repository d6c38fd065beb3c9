import { signingKey } from '../../lib/contract/signing-keys.ts';

/** Signs what operators bring in from another system, with their own credentials: no function may use it. */
export const ImportKey = signingKey('ImportKey', { signs: 'manifests of imported consents' });

/** Signs the ledger's checkpoints and the tombstones of chains that are gone. */
export const LedgerKey = signingKey('LedgerKey', { signs: 'checkpoints of the consent ledger' });
