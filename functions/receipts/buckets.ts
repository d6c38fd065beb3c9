/** What lies where in the bucket of evidence, whose objects nobody removes. */

/** Which keys sign receipts: only the function that vouches for them puts something here. */
export const keysPrefix = 'receipt-keys/';
/** Which of them are revoked: only operators put something here, and no function. */
export const revocationsPrefix = 'receipt-key-revocations/';
