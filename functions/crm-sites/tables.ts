import { table } from '../../lib/contract/tables.ts';

export { CareRelations, Staff } from '../access/data-subject.ts';

/**
 * Under `site` each site by its `siteId`; under `code` which site's a short code is, by the code. Under `name` and `postal-code` each
 * site once more, by the folded text and its id: a search is one Query. Under `deleted` the name of a site that was.
 */
export const Sites = table('Sites', { partitionKey: 'kind', sortKey: 'siteKey' });

/** `CareRelations` the other way round: the patients of a site. Both change in one transaction. */
export const SitePatients = table('SitePatients', { partitionKey: 'siteId', sortKey: 'userId' });

/** `Staff` the other way round: who works at a site. Both change in one transaction. */
export const SiteStaff = table('SiteStaff', { partitionKey: 'siteId', sortKey: 'userId' });

/** When a user typed wrong codes of sites, within the hour. It changes with each join, too: one is decided after the other. */
export const SiteCodeTries = table('SiteCodeTries', { partitionKey: 'userId', expires: true });
