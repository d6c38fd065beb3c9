/** `receipt`: signed, in the compact form of JWS. */
export type StoredReceipt = { receiptId: string; issuedAt: string; receipt: string };
export type ReceiptRow = StoredReceipt & { userAgreement: string; recordedAt: string; expiresAt?: number };
