export { type Once, onceOf, secondsOf } from './rules/once.ts';
