/** What other domains may import of this one's stores; its rules are anybody's. */

export {
  appendRecords,
  findRecord,
  readRecord,
  readRecordAt,
  readRecords,
  readState,
  readStates,
} from './stores/consent-rows.ts';
