export { readFigures } from './stores/figures.ts';
