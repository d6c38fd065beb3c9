/**
 * Judged only by the year, in which the birthday may be yet to come: a person who may still be younger is not old enough.
 * The year is that of the latest time zone (UTC−12), so that nobody is let in before their own new year.
 */
export function isOldEnough(birthYear: number, minimumAge: number, now: Date): boolean {
  const latest = new Date(now.getTime() - 12 * 3_600_000);
  return latest.getUTCFullYear() - birthYear > minimumAge;
}
