export { type ConsentState, decideAgreement, decideRevocation, type Shown } from './rules/consent.ts';
export { type ConsentRecord, hashOf, nextRecord, partitionOf, stateOf } from './rules/record.ts';
