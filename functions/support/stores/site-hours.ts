import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { readSiteNames } from '../../crm-sites/exports.ts';
import type { BusinessHours } from '../rules/business-hours.ts';
import { hoursIn } from '../rules/default-hours.ts';

/**
 * The hours of the site that a ticket is of. The one place that knows where they come from: of a site its zone is known, and no
 * hours and no holidays of its own.
 *
 * @param siteId null: the patient was with none
 */
export async function readHours(
  client: DynamoDBDocumentClient,
  tables: { readonly Sites: string },
  siteId: string | null,
): Promise<BusinessHours> {
  if (siteId === null) return hoursIn();
  const site = (await readSiteNames(client, tables.Sites, [siteId])).get(siteId);
  return hoursIn(site?.timezone);
}
