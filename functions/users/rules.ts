export { isAdult } from './rules/adult.ts';
export { isOldEnough } from './rules/age.ts';
export {
  canonicalTimeZone,
  comparableEmail,
  type Erased,
  emailKey,
  isErased,
  knownZone,
  type User,
} from './rules/profile.ts';
