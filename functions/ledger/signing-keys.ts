import { signingKey } from '../../lib/contract/signing-keys.ts';

/** Signs what operators bring in from another system, and which tombstones count for nothing, with their own credentials: no function may sign with it. */
export const ImportKey = signingKey('ImportKey', { signs: 'manifests of imported consents' });

/** Signs the ledger's checkpoints. */
export const LedgerKey = signingKey('LedgerKey', { signs: 'checkpoints of the consent ledger' });
