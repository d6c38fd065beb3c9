export { type DomainEvent, type Image, numberIn, type RowChange, textIn } from './rules/image.ts';
