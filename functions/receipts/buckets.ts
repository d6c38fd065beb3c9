/** The prefixes in the bucket of evidence, whose objects nobody can remove. */

/** Which keys sign receipts: only the function that vouches for them writes here. */
export const keysPrefix = 'receipt-keys/';
/** Which of them are revoked: only operators write here, and no function. */
export const revocationsPrefix = 'receipt-key-revocations/';
