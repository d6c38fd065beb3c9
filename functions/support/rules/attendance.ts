import type { StaffStanding } from '../../../lib/contract/staff-accounts.ts';
import { nobodysSite, type Place } from './urgent-ticket.ts';

/** Whether a site has somebody who may see an urgent ticket. Pure. */

/** `possible`: somebody without a row, whose token might say so. */
export type Attendance = 'sure' | 'possible' | 'none';

/**
 * @param standings of those who have a row
 * @param wanted roles that may see it
 */
export function attendanceOf(
  userIds: readonly string[],
  standings: ReadonlyMap<string, Pick<StaffStanding, 'roles' | 'status'>>,
  wanted: readonly string[],
): Attendance {
  // A person who was only invited has never signed in.
  const maySee = ({ roles, status }: Pick<StaffStanding, 'roles' | 'status'>) =>
    status === 'active' && wanted.some((role) => roles.includes(role));
  if ([...standings.values()].some(maySee)) return 'sure';
  return userIds.some((userId) => !standings.has(userId)) ? 'possible' : 'none';
}

/** Whose a ticket is of a patient who is with the site and shares. */
export function placeAt(siteId: string, attendance: Attendance): Place {
  return attendance === 'none' ? nobodysSite : { siteId, isSure: attendance === 'sure' };
}
