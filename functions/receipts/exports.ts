export { writeConsentPage } from './stores/consent-page.ts';
export { readContent, readStoredReceipts } from './stores/receipt-rows.ts';
