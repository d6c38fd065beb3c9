/** By the year alone: whoever reaches the age in this year counts as old enough. */
export function isOldEnough(birthYear: number, minimumAge: number, now: Date): boolean {
  return now.getUTCFullYear() - birthYear >= minimumAge;
}
