/** Declared with the check of a look, which reads both. */
export { ConsentRecords, ConsentStates } from '../access/consent-states.ts';
