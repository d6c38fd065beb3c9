export { sessionIn } from './rules/token-session.ts';
