export { checkChain, recordsIn } from './rules/chain-check.ts';
export type { Finding } from './rules/finding.ts';
export { checkPointer } from './rules/pointer-check.ts';
