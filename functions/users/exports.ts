export { eraseProfile } from './stores/erase-profile.ts';
export { introduce, isInPool, readPoolUser } from './stores/user-pool.ts';
export { findByEmail, meetUser, readProfile, readProfiles, readUser } from './stores/users.ts';
