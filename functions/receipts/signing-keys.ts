import { signingKey } from '../../lib/contract/signing-keys.ts';

/** Signs the receipts of consent records. */
export const ReceiptKey = signingKey('ReceiptKey', { signs: 'the receipts of consent records' });

/** Signs the manifests of research exports: whoever signs receipts must not be able to make one. */
export const ResearchManifestKey = signingKey('ResearchManifestKey', { signs: 'the manifests of research exports' });

/** Signs which keys sign receipts and manifests, for the one function that compares them with KMS. */
export const VouchingKey = signingKey('VouchingKey', { signs: 'which keys sign receipts and manifests' });

/** Signs that a key of receipts or manifests is revoked, with an operator's own credentials: no function may use it. */
export const RevocationKey = signingKey('RevocationKey', { signs: 'revocations of keys of receipts and manifests' });
