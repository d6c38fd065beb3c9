import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { readSite, readStaffIds } from '../../crm-sites/exports.ts';
import { readStandings } from '../../staff/exports.ts';
import { seeToUrgentTicketsOfSites } from '../permissions.ts';
import { isAttended } from '../rules/attendance.ts';

export type AttendanceTables = { readonly [Name in 'Sites' | 'SiteStaff' | 'StaffAccounts']: string };

/** As many as one call reads the accounts of. */
const limit = 100;

/** Whether a site has somebody who would see an urgent ticket within the hour; a closed one has not. */
export async function readIsAttended(
  client: DynamoDBDocumentClient,
  tables: AttendanceTables,
  siteId: string,
): Promise<boolean> {
  if ((await readSite(client, tables.Sites, siteId))?.status !== 'open') return false;
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof readStaffIds>> = await readStaffIds(client, tables.SiteStaff, siteId, {
      limit,
      after,
    });
    const standings = await readStandings(client, tables.StaffAccounts, page.userIds);
    if (isAttended(standings, seeToUrgentTicketsOfSites.roles)) return true;
    after = page.next;
  } while (after !== null);
  return false;
}
