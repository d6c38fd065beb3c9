export * as consumers from './consumers.ts';
export { data } from './data.ts';
export { metrics } from './metrics.ts';
export * as permissions from './permissions.ts';
export { reference } from './reference.ts';
export * as routes from './routes.ts';
export * as tables from './tables.ts';
