export { eraseExports } from './stores/erase-exports.ts';
