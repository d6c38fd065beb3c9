/** What other domains may import of this one's stores; its rules are anybody's. */

export { makeRelation, readOwnRelations } from './stores/care-relations.ts';
export { eraseCareRelations, eraseStaff } from './stores/erase-relations.ts';
export { readPatientsOf } from './stores/site-patients.ts';
export { hasStaff, readPost } from './stores/site-staff.ts';
export { readSite, readSiteHours, readSiteNames } from './stores/sites.ts';
export { workAtSite } from './stores/work-at-site.ts';
