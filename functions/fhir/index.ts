export * as permissions from './permissions.ts';
export { exportFiles } from './personal-data.ts';
export { reference } from './reference.ts';
export * as routes from './routes.ts';
