import { createHmac } from 'node:crypto';

/**
 * Dates of a participant are moved back by a constant, where the study asks for it: by 1 to 52 whole weeks, so that their order,
 * the time between them and the day of the week stay. Who knows a real date of a participant learns the others; a reader who
 * does not know one cannot place the participant in the year. Pure.
 */

const weeks = 52;
const dayMs = 86_400_000;

/** @param key of the study, so that the shift is another one in each study */
export function shiftDaysOf(key: Uint8Array, userId: string): number {
  // Another text than a pseudonym is made of, so that neither says anything of the other.
  const digest = createHmac('sha256', key).update(`date-shift#${userId}`).digest();
  return -7 * (1 + (digest.readUInt32BE(0) % weeks));
}

/** @param text a date, or a date and a time of the clock: `2026-03-01`, `2026-03-01T22:10` */
export function shifted(text: string, days: number): string {
  const date = new Date(Date.parse(`${text.slice(0, 10)}T00:00:00Z`) + days * dayMs);
  return `${date.toISOString().slice(0, 10)}${text.slice(10)}`;
}
