export { differingPaths } from './rules/claims-check.ts';
export type { PageLocale } from './rules/evidence-labels.ts';
export { evidencePage } from './rules/evidence-page.ts';
export { lines, pageHead } from './rules/html.ts';
export { issuerOf } from './rules/receipt.ts';
export { manifestType, receiptType } from './rules/signed-types.ts';
export type { StoredReceipt } from './rules/stored-receipt.ts';
export { judgeSigned, type SignatureRefusal } from './rules/verification.ts';
