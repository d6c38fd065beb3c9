/** The stores that other domains may import. Every domain may import this one's rules. */

export { eraseMemberships } from './stores/erase-memberships.ts';
export { readGroup } from './stores/groups.ts';
export { readMembers } from './stores/memberships.ts';
