export { orderedId } from './rules/board.ts';
