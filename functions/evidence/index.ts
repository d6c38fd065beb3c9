import { Evidence } from './buckets.ts';

export const buckets = { Evidence };
