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
