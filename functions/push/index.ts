export * as consumers from './consumers.ts';
export { data } from './data.ts';
export * as permissions from './permissions.ts';
export * as queues from './queues.ts';
export { reference } from './reference.ts';
export * as routes from './routes.ts';
export * as tables from './tables.ts';
export * as topics from './topics.ts';
