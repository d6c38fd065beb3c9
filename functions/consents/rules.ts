export { decideAgreement, decideRevocation, type Shown } from './rules/consent.ts';
export { hashOf, nextRecord, partitionOf, stateOf } from './rules/record.ts';
