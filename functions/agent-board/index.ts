export * as routes from './routes.ts';
export * as tables from './tables.ts';
