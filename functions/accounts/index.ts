export * as consumers from './consumers.ts';
export * as errors from './errors.ts';
export { guide } from './errors-guide.ts';
export * as permissions from './permissions.ts';
export * as procedures from './procedures.ts';
export { reference } from './reference.ts';
export * as routes from './routes.ts';
