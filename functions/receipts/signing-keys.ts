import { signingKey } from '../../lib/contract/signing-keys.ts';

/** Signs the receipts of consent records. */
export const ReceiptKey = signingKey('ReceiptKey', { signs: 'the receipts of consent records' });
