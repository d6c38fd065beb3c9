/** The stores that other domains may import. Every domain may import this one's rules. */

export { makeRelation, readOwnRelations } from './stores/care-relations.ts';
export { eraseCareRelations, eraseStaff } from './stores/erase-relations.ts';
export { readPatientsOf } from './stores/site-patients.ts';
export { readPost, readStaffIds } from './stores/site-staff.ts';
export { readSite, readSiteHours, readSiteSummaries } from './stores/sites.ts';
export { workAtSite } from './stores/work-at-site.ts';
