export type { Generations } from './rules/next-generation.ts';
