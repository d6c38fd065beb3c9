export { data } from './data.ts';
export * as errors from './errors.ts';
export { guide } from './errors-guide.ts';
export { metrics } from './metrics.ts';
export * as permissions from './permissions.ts';
export * as routes from './routes.ts';
export * as tables from './tables.ts';
