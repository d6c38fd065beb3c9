import { signingKey } from '../../lib/contract/signing-keys.ts';

/** Signs the ledger's checkpoints and the tombstones of chains that are gone. */
export const LedgerKey = signingKey('LedgerKey', { signs: 'checkpoints of the consent ledger' });
