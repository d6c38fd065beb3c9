export * as errors from './errors.ts';
export { guide } from './errors-guide.ts';
export * as permissions from './permissions.ts';
export { data } from './personal-data.ts';
export { reference } from './reference.ts';
export * as routes from './routes.ts';
export * as tables from './tables.ts';
