/** The stores that other domains may import. Every domain may import this one's rules. */

export {
  appendRecords,
  decideTwice,
  findRecord,
  readNextRecord,
  readRecord,
  readRecordAt,
  readRecords,
  readState,
  readStates,
} from './stores/consent-rows.ts';
