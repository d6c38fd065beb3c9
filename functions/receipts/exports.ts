export { writeConsentPage } from './stores/consent-page.ts';
export { keptKeys } from './stores/kept-keys.ts';
export { isReceiptOf } from './stores/receipt-check.ts';
export { readContent, readRecordKept, readStoredReceipts } from './stores/receipt-rows.ts';
export { assertMaySign } from './stores/signer-check.ts';
