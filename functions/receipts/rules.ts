export { labels, type PageLocale } from './rules/evidence-labels.ts';
export { evidencePage } from './rules/evidence-page.ts';
export { style } from './rules/evidence-style.ts';
export { escaped } from './rules/html.ts';
export { issuerOf, receiptType } from './rules/receipt.ts';
