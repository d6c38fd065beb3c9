export { type Generations, generationsOf, nextAfter, noneYet } from './rules/next-generation.ts';
