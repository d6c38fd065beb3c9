export * as consumers from './consumers.ts';
export { data } from './data.ts';
export { metrics } from './metrics.ts';
export * as queues from './queues.ts';
export * as secrets from './secrets.ts';
export * as tables from './tables.ts';
