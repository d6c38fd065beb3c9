export { data } from './data.ts';
export * as tables from './tables.ts';
