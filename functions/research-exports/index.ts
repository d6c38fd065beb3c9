export * as buckets from './buckets.ts';
export * as consumers from './consumers.ts';
export { data } from './data.ts';
export * as errors from './errors.ts';
export { guide } from './errors-guide.ts';
export { reference } from './reference.ts';
export * as routes from './routes.ts';
export * as tables from './tables.ts';
