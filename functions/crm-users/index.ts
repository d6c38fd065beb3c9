export * as auditActions from './audit-actions.ts';
export * as permissions from './permissions.ts';
export { data } from './personal-data.ts';
export { reference } from './reference.ts';
export * as routes from './routes.ts';
export * as tables from './tables.ts';
