import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { CareRelation, Post } from '../access/data-subject.ts';
import type { SitesRow } from './rules/site.ts';
import type { Tries } from './rules/tries.ts';

export { CareRelations, Staff } from '../access/data-subject.ts';

/**
 * Under `site` each site by its `siteId`; under `code` which site's a short code is, by the code. Under `name` and `postal-code` each
 * site once more, by the folded text and its id: a search is one Query. Under `deleted` the name of a site that was.
 */
export const Sites = table<SitesRow>()('Sites', { partitionKey: 'kind', sortKey: 'siteKey' });
export type Sites<A extends Action> = Handle<typeof Sites, A>;

/** `CareRelations` the other way round: the patients of a site. Both change in one transaction. */
export const SitePatients = table<Omit<CareRelation, 'isMain'>>()('SitePatients', {
  partitionKey: 'siteId',
  sortKey: 'userId',
});
export type SitePatients<A extends Action> = Handle<typeof SitePatients, A>;

/** `Staff` the other way round: who works at a site. Both change in one transaction. */
export const SiteStaff = table<Post>()('SiteStaff', { partitionKey: 'siteId', sortKey: 'userId' });
export type SiteStaff<A extends Action> = Handle<typeof SiteStaff, A>;

/** When a user typed wrong codes of sites, within the hour. It changes with each join, too: one is decided after the other. */
export const SiteCodeTries = table<Tries>()('SiteCodeTries', { partitionKey: 'userId', expires: true });
export type SiteCodeTries<A extends Action> = Handle<typeof SiteCodeTries, A>;
