import { signingKey } from '../../lib/contract/signing-keys.ts';

/** Signs the receipts of consent records. */
export const ReceiptKey = signingKey('ReceiptKey', { signs: 'the receipts of consent records' });

/** Signs which keys sign receipts, for the one function that compares them with KMS. */
export const VouchingKey = signingKey('VouchingKey', { signs: 'which keys sign receipts' });

/** Signs that a key of receipts is revoked, with an operator's own credentials: no function may use it. */
export const RevocationKey = signingKey('RevocationKey', { signs: 'revocations of keys of receipts' });
