export { readFigures } from './stores/figures.ts';
export { beginGeneration, finishGeneration, readGenerations } from './stores/generations.ts';
