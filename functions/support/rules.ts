export { isUnsolved, stateAt, states } from './rules/ticket.ts';
