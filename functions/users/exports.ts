export { eraseProfile } from './stores/erase-profile.ts';
