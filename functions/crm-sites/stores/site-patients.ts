import { queryPage } from '../../../lib/runtime/query-page.ts';
import type { CareRelation } from '../../access/data-subject.ts';
import type { SitePatients } from '../tables.ts';

/** Table `SitePatients`: the patients of a site. */

/** A relation that a page ended with; `userId` is `endOfSite` where the site itself had ended. */
export type SiteAndUser = { readonly siteId: string; readonly userId: string };

/** Sorts after every id. */
const endOfSite = '~';

/** Sites that one request looks at: most have patients, and those without cost a call each. */
const mostSites = 10;

/**
 * A page of the patients of several sites, one site after the other, strongly consistent. It ends early where it met ten
 * sites: `next` is null only where nothing is left.
 *
 * @param sites each once
 */
export async function readPatientsOf(
  table: SitePatients<'query'>,
  sites: readonly string[],
  { limit, after }: { limit: number; after: SiteAndUser | null },
): Promise<{ relations: CareRelation[]; next: SiteAndUser | null }> {
  const left = sites.toSorted().filter((siteId) => after === null || siteId >= after.siteId);
  const relations: CareRelation[] = [];
  for (const [index, siteId] of left.entries()) {
    const from = after?.siteId === siteId ? after.userId : null;
    const { rows, hasMore } = await queryPage(table, ofSite(siteId, from), limit - relations.length);
    relations.push(...rows);
    const isLast = index === left.length - 1;
    const [last] = relations.slice(-1);
    if (hasMore && last) return { relations, next: { siteId: last.siteId, userId: last.userId } };
    if (isLast) break;
    if (relations.length === limit || index + 1 === mostSites)
      return { relations, next: { siteId, userId: endOfSite } };
  }
  return { relations, next: null };
}

function ofSite(siteId: string, from: string | null) {
  return {
    KeyConditionExpression: `siteId = :siteId${from === null ? '' : ' AND userId > :from'}`,
    ExpressionAttributeValues: { ':siteId': siteId, ...(from !== null && { ':from': from }) },
  };
}
