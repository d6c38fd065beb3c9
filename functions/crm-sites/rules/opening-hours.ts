/** When a site is open, on the clock on its wall. Pure. */

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** `09:00` to `12:30`; a day ends at `24:00`. */
type Hours = { readonly from: string; readonly to: string };

export type OpeningHours = { readonly [day in (typeof weekdays)[number]]: Hours[] };

/** For domains that compute with opening hours. */
export type SiteHours = {
  readonly siteId: string;
  /** Of IANA's. */
  readonly timezone: string;
  /** Monday first: minutes from midnight. Null: the site has not said. */
  readonly week: readonly (readonly (readonly [from: number, to: number])[])[] | null;
  /** Dates on which it is closed. Null: the site has not said. */
  readonly holidays: readonly string[] | null;
};

function minuteOf(clock: string): number {
  const [hours = '', minutes = ''] = clock.split(':');
  return 60 * Number(hours) + Number(minutes);
}

export function weekOf(hours: OpeningHours): SiteHours['week'] {
  return weekdays.map((day) => hours[day].map(({ from, to }) => [minuteOf(from), minuteOf(to)] as const));
}
