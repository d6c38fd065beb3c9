export { eraseProfile } from './stores/erase-profile.ts';
export { isInPool } from './stores/user-pool.ts';
export { readProfile, readProfiles } from './stores/users.ts';
