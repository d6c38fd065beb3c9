/**
 * The asymmetric keys of an environment, ES256, in KMS: what is signed with them is proof outside this system. Each kind
 * has its own, so that who signs receipts could not sign a checkpoint.
 */
export const signingKeys = {
  /** Signs the receipts of consent records. */
  ReceiptKey: { summary: 'signs the receipts of consent records' },
  /** Signs the ledger's checkpoints and the tombstones of chains that are gone. */
  LedgerKey: { summary: 'signs checkpoints of the consent ledger' },
} as const;

export type SigningKeyName = keyof typeof signingKeys;

/**
 * `sign` (signs with the current key, and reads its public part), `continue` (that, and reads the public parts of the keys
 * before it, whose statements it goes on from) or `read` (the public part alone).
 */
export type SigningKeyAccess = 'sign' | 'continue' | 'read';

/** The environment variable that carries the current key's ARN: `ReceiptKey` → `RECEIPT_KEY_ARN`. */
export function signingKeyVariable(name: SigningKeyName): string {
  return `${name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}_ARN`;
}

/** The one with the ARNs of the keys before it, with commas between them; absent where there are none. */
export function earlierKeysVariable(name: SigningKeyName): string {
  return signingKeyVariable(name).replace(/ARN$/, 'EARLIER_ARNS');
}
