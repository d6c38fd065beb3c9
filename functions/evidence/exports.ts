export { type Operators, tellFindings } from './stores/operators.ts';
