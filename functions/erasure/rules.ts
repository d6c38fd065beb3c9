export { retentionYears } from './rules/erasure.ts';
