export { eraseProfile } from './stores/erase-profile.ts';
export { introduce, isInPool, readPoolUser } from './stores/user-pool.ts';
export { addUser, findByEmail, meetUser, moveEmail, readProfile, readProfiles, readUser } from './stores/users.ts';
