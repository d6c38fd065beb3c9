export * as consumers from './consumers.ts';
export { metrics } from './metrics.ts';
export { data } from './personal-data.ts';
export * as queues from './queues.ts';
export * as secrets from './secrets.ts';
export * as tables from './tables.ts';
