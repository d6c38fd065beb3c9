export { eraseEntry } from './stores/erase-entry.ts';
