export { type Revised, readRevised, replaceRevised } from './stores/replace-revised.ts';
