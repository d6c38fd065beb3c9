export { exportFiles } from './data.ts';
export * as permissions from './permissions.ts';
export { reference } from './reference.ts';
export * as routes from './routes.ts';
