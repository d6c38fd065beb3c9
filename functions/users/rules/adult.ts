import { isOldEnough } from './age.ts';
import type { Erased, User } from './profile.ts';

const adultAge = 18;

/** A person whose year of birth is not known does not count as an adult. Pure. */
export function isAdult(user: User | Erased | null, now: Date): boolean {
  const birthYear = user && 'birthYear' in user ? user.birthYear : null;
  return typeof birthYear === 'number' && isOldEnough(birthYear, adultAge, now);
}
