export { eraseEntry } from './stores/erase-entry.ts';
export { listUser } from './workflows/list-user.ts';
