/** What other domains may import of this one's stores; its rules are anybody's. */

export { findRecord, readRecord, readRecordAt, readState } from './stores/consent-rows.ts';
