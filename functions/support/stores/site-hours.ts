import { readSiteHours } from '../../crm-sites/exports.ts';
import type { Sites } from '../../crm-sites/tables.ts';
import type { BusinessHours } from '../rules/business-hours.ts';
import { hoursIn, hoursOfSite } from '../rules/default-hours.ts';

/**
 * The hours of the site that a ticket belongs to, as the site states them now.
 *
 * @param siteId null: the patient was with none
 */
export async function readHours(
  tables: { readonly Sites: Sites<'get'> },
  siteId: string | null,
): Promise<BusinessHours> {
  if (siteId === null) return hoursIn();
  const site = await readSiteHours(tables.Sites, siteId);
  return site ? hoursOfSite(site) : hoursIn();
}
