export { eraseProfile } from './stores/erase-profile.ts';
export { isInPool } from './stores/user-pool.ts';
export { readUser } from './stores/users.ts';
