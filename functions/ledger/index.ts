import { Evidence } from './buckets.ts';

export * as consumers from './consumers.ts';
export { metrics } from './metrics.ts';
export * as signingKeys from './signing-keys.ts';

export const buckets = { Evidence };
