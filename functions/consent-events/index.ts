export * as consumers from './consumers.ts';
export * as queues from './queues.ts';
