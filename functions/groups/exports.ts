/** What other domains may import of this one's stores; its rules are anybody's. */

export { eraseMemberships } from './stores/erase-memberships.ts';
export { readGroup } from './stores/groups.ts';
export { readMembers } from './stores/memberships.ts';
