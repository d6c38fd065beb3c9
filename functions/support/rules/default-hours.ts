import type { SiteHours } from '../../crm-sites/rules.ts';
import type { BusinessHours } from './business-hours.ts';
import { isGermanHoliday } from './german-holidays.ts';

/** The hours of a site without its own hours, and of patients without a site: Monday to Friday, nine to five. Pure. */

const defaultZone = 'Europe/Berlin';

const day = [[9 * 60, 17 * 60]] as const;

/** By zone. A zone that is not here has no holidays: what is due is then due too early. */
const holidays: Readonly<Record<string, BusinessHours['holidays']>> = { [defaultZone]: { includes: isGermanHoliday } };

export function hoursIn(timezone: string = defaultZone): BusinessHours {
  return { timezone, week: [day, day, day, day, day, [], []], holidays: holidays[timezone] ?? [] };
}

/** A site's own hours; where the site has not said them, or not its holidays, the usual ones of its zone. */
export function hoursOfSite({ timezone, week, holidays: said }: SiteHours): BusinessHours {
  const usual = hoursIn(timezone);
  return { timezone, week: week ?? usual.week, holidays: said ?? usual.holidays };
}
