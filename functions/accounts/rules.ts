export { bitsOf, folded } from './rules/breached.ts';
export { type Owner, weaknessOf } from './rules/password.ts';
