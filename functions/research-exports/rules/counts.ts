import { fewest } from '../../research/rules.ts';

/** Numbers of people: fewer than five could be recognised, so that their number is not said. Pure. */

/** @returns null for fewer than five */
export function largeCount(people: number): number | null {
  return people >= fewest ? people : null;
}

/** Of people to whom something happened. @returns 0 where it happened to nobody, null for one to four */
export function countOrNone(people: number): number | null {
  return people === 0 ? 0 : largeCount(people);
}
