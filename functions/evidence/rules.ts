export { isTyped } from './rules/appended.ts';
export {
  begunBelow,
  begunKey,
  longestTombstone,
  requestKey,
  tombstoneKey,
  tombstoneRevocationsBelow,
  tombstoneRevocationType,
  tombstoneType,
} from './rules/evidence-keys.ts';
export { isOfValue, misdatingOf, type RowChange, type StoredRow, shownText, skewMs } from './rules/row-change.ts';
