import { permission } from '../../lib/contract/permissions.ts';

export const readOwnTickets = permission('support:read-own', { roles: [], everyoneIn: ['sleepcare'] });

export const writeOwnTickets = permission('support:write-own', { roles: [], everyoneIn: ['sleepcare'] });

export const workOnTickets = permission('support:write', { roles: ['agent', 'admin'] });

export const handleUrgentTickets = permission('support:urgent', { roles: ['clinical-safety'] });

/** Of the patients of the caller's own sites. */
export const handleUrgentTicketsOfOwnSites = permission('support:urgent-of-sites', { roles: ['physician'] });
