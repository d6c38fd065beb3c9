import type { SiteHours } from '../../crm-sites/rules/opening-hours.ts';
import type { BusinessHours } from './business-hours.ts';

/** The hours of a site without its own hours, and of patients without a site: Monday to Friday, nine to five. Pure. */

const defaultZone = 'Europe/Berlin';

const day = [[9 * 60, 17 * 60]] as const;

/** Those of all of Germany: by the Sunday of Easter of each year. */
const easters = ['2026-04-05', '2027-03-28', '2028-04-16', '2029-04-01', '2030-04-21', '2031-04-13', '2032-03-28'];
const fixed = ['01-01', '05-01', '10-03', '12-25', '12-26'];
/** Good Friday, the Monday of Easter, Ascension, the Monday of Whitsun: days from Easter's Sunday. */
const moving = [-2, 1, 39, 50];

const germanHolidays = easters.flatMap((easter) => [
  ...fixed.map((date) => `${easter.slice(0, 4)}-${date}`),
  ...moving.map((days) => new Date(Date.parse(`${easter}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)),
]);

/** By zone. A zone that is not here has no holidays: what is due is then due too early. */
const holidays: Readonly<Record<string, readonly string[]>> = { [defaultZone]: germanHolidays };

export function hoursIn(timezone: string = defaultZone): BusinessHours {
  return { timezone, week: [day, day, day, day, day, [], []], holidays: holidays[timezone] ?? [] };
}

/** A site's own hours; where the site has not said them, or not its holidays, the usual ones of its zone. */
export function hoursOfSite({ timezone, week, holidays: said }: SiteHours): BusinessHours {
  const usual = hoursIn(timezone);
  return { timezone, week: week ?? usual.week, holidays: said ?? usual.holidays };
}
