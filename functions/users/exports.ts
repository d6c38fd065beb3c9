export { eraseProfile } from './stores/erase-profile.ts';
export { tombstoneWithoutProfile } from './stores/tombstone.ts';
