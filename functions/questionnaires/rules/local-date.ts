/** Dates of a person's own calendar, `YYYY-MM-DD`, in an IANA time zone. */

/** The zone of a profile that names none. */
export const defaultZone = 'Europe/Berlin';

/** The local date and hour. */
export function localTime(instant: Date, zone: string): { readonly date: string; readonly hour: number } {
  // The Swedish format is that of ISO 8601.
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

/** A time by the person's calendar and by the service's clock. */
export type Moment = { readonly date: string; readonly instant: string };

export function momentIn(zone: string, at: Date): Moment {
  return { date: localDate(at, zone), instant: at.toISOString() };
}

export const dayMs = 86_400_000;

/** Calendar days: a day on which summer time changes counts like any other day. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}
