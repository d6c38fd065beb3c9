import type { StaffAccounts } from '../../../lib/contract/staff-accounts.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';
import { readSite, readStaffIds } from '../../crm-sites/exports.ts';
import type { SiteStaff, Sites } from '../../crm-sites/tables.ts';
import { readStandings } from '../../staff/exports.ts';
import { handleUrgentTicketsOfOwnSites } from '../permissions.ts';
import { isAttended } from '../rules/attendance.ts';

export type AttendanceTables = {
  readonly Sites: Sites<'get'>;
  readonly SiteStaff: SiteStaff<'query'>;
  readonly StaffAccounts: Handle<typeof StaffAccounts, 'batchGet'>;
};

/** As many as one call reads the accounts of, and how many calls: rows without end would stop the tickets of other sites, too. */
const [limit, mostPages] = [100, 20];

/** Whether a site has somebody who would see an urgent ticket within the hour; a closed one has not. */
export async function readIsAttended(tables: AttendanceTables, siteId: string): Promise<boolean> {
  if ((await readSite(tables.Sites, siteId))?.status !== 'open') return false;
  let after: string | null = null;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const page: Awaited<ReturnType<typeof readStaffIds>> = await readStaffIds(tables.SiteStaff, siteId, {
      limit,
      after,
    });
    const standings = await readStandings(tables.StaffAccounts, page.userIds);
    if (isAttended(standings, handleUrgentTicketsOfOwnSites.roles)) return true;
    if (page.next === null) return false;
    after = page.next;
  }
  return false;
}
