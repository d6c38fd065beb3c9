export { tellFindings } from './stores/operators.ts';
