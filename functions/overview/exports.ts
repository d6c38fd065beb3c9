export { eraseEntries } from './stores/erase-entries.ts';
