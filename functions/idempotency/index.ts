export * as errors from './errors.ts';
export { guide } from './errors-guide.ts';
export { data } from './personal-data.ts';
export * as tables from './tables.ts';
