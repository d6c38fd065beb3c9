import type { StaffStanding } from '../../../lib/contract/staff-accounts.ts';

/**
 * Whether one of a site's staff may see an urgent ticket. Pure.
 *
 * @param standings of those who have a row; nobody else has a role
 * @param wanted roles that may see it
 */
export function isAttended(
  standings: ReadonlyMap<string, Pick<StaffStanding, 'roles' | 'status'>>,
  wanted: readonly string[],
): boolean {
  // A person who was only invited has never signed in.
  return [...standings.values()].some(
    ({ roles, status }) => status === 'active' && wanted.some((role) => roles.includes(role)),
  );
}
