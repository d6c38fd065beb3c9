export { countRowOf, countRows } from './rules/group.ts';
