/** Dates of a person's own calendar, `YYYY-MM-DD`, in a zone of IANA's. */

/** Where a profile names no zone. */
export const defaultZone = 'Europe/Berlin';

/** The date and the hour that a clock on the wall shows. */
export function localTime(instant: Date, zone: string): { readonly date: string; readonly hour: number } {
  // The Swedish form is ISO 8601's.
  const text = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(instant);
  return { date: text.slice(0, 10), hour: Number(text.slice(11, 13)) };
}

export function localDate(instant: Date, zone: string): string {
  return localTime(instant, zone).date;
}

/** A time as a person's calendar and as the service's clock has it. */
export type Moment = { readonly date: string; readonly instant: string };

export function momentIn(zone: string, at: Date): Moment {
  return { date: localDate(at, zone), instant: at.toISOString() };
}

export const dayMs = 86_400_000;

/** Days of the calendar: a day of the summer time's change is one as any other. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}
