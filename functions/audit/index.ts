export * as consumers from './consumers.ts';
export { metrics } from './metrics.ts';
export * as permissions from './permissions.ts';
export { data } from './personal-data.ts';
export { reference } from './reference.ts';
export * as routes from './routes.ts';
export * as tables from './tables.ts';
