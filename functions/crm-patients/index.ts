export { reference } from './reference.ts';
export * as routes from './routes.ts';
