export { data } from './data.ts';
export * as errors from './errors.ts';
export { guide } from './errors-guide.ts';
export * as tables from './tables.ts';
