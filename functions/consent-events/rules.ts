export type { Revocation } from './rules/consent-event.ts';
export { type DomainEvent, type Image, numberIn, type RowChange, textIn } from './rules/image.ts';
