import { createHmac } from 'node:crypto';

/**
 * If the study asks for it, all dates of a participant are moved back by the same 1 to 52 whole weeks. Their order, the time
 * between them and the day of the week stay the same. Somebody who knows one real date of a participant can compute the others.
 * A reader who knows none cannot say when in the year the participant took part. Pure.
 */

const weeks = 52;
const dayMs = 86_400_000;

/** @param key the key of the study, so the shift is different in each study */
export function shiftDaysOf(key: Uint8Array, userId: string): number {
  // The text differs from that of a pseudonym. So the shift says nothing about the pseudonym, and the pseudonym nothing about the shift.
  const digest = createHmac('sha256', key).update(`date-shift#${userId}`).digest();
  return -7 * (1 + (digest.readUInt32BE(0) % weeks));
}

/** @param text a date, or a date and a local time: `2026-03-01`, `2026-03-01T22:10` */
export function shifted(text: string, days: number): string {
  const date = new Date(Date.parse(`${text.slice(0, 10)}T00:00:00Z`) + days * dayMs);
  return `${date.toISOString().slice(0, 10)}${text.slice(10)}`;
}
