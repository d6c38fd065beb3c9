import { ifAbsent, ifUnchanged } from '../../../lib/runtime/conditions.ts';
import { all, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { get, put, remove } from '../../../lib/runtime/rows.ts';
import type { CareRelation, CareRelations } from '../../access/data-subject.ts';
import type { SitePatients, Sites } from '../tables.ts';
import { checkSiteOpen } from './sites.ts';

/** Tables `CareRelations` and `SitePatients`: two rows of one relation, which come and go together. */

/** Where a patient comes to a site. */
export type MadeRelationTables = {
  readonly CareRelations: CareRelations<'put'>;
  readonly SitePatients: SitePatients<'put'>;
  readonly Sites: Sites<'check'>;
};

/** Where a relation ends. */
export type EndedRelationTables = {
  readonly CareRelations: CareRelations<'remove'>;
  readonly SitePatients: SitePatients<'remove'>;
};

/** All relations of a patient, who is with a few sites at most. Strongly consistent, like every read here. */
export async function readOwnRelations(table: CareRelations<'query'>, userId: string): Promise<CareRelation[]> {
  return queryAll(table, inPartition({ userId }));
}

export async function readRelationPage(
  table: CareRelations<'query'>,
  userId: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ relations: CareRelation[]; next: string | null }> {
  const query = inPartition({ userId }, { siteId: all }, after);
  const { rows: relations, next } = await queryPage(table, query, limit);
  return { relations, next };
}

export async function readRelation(
  table: CareRelations<'get'>,
  { userId, siteId }: Pick<CareRelation, 'userId' | 'siteId'>,
): Promise<CareRelation | null> {
  return get(table, { userId, siteId });
}

/**
 * The items of a transaction that puts a patient with a site. It fails, as if another writer had been first, where the
 * patient is with the site already (read `readOwnRelations` before, which also tells how many there are) or the site is
 * not open. The route declares `relationUses`, and it is the patient's account that has to be open.
 *
 * @param code the site's, where the patient typed it: it has to be the site's still
 */
export function makeRelation(
  tables: MadeRelationTables,
  { userId, siteId, since }: CareRelation,
  code: string | null = null,
) {
  const row = { userId, siteId, since };
  const isNew = ifAbsent('userId');
  return [
    put(tables.CareRelations, row, isNew),
    put(tables.SitePatients, row),
    checkSiteOpen(tables.Sites, siteId, code),
  ];
}

/** The items of a transaction that ends a relation, on the condition that it is still this one. */
export function endRelation(tables: EndedRelationTables, { userId, siteId, since }: CareRelation) {
  const key = { userId, siteId };
  return [remove(tables.CareRelations, key, ifUnchanged({ since })), remove(tables.SitePatients, key)];
}

/**
 * The items of a transaction that makes one relation the main one, or none: each row that changes, on the condition that it is still
 * the relation that was read. That nobody chooses another one meanwhile, the patient's row of tries is to see to.
 */
export function mainItems(table: CareRelations<'put'>, relations: readonly CareRelation[], mainSiteId: string | null) {
  return relations
    .filter(({ siteId, isMain }) => (siteId === mainSiteId) !== (isMain === true))
    .map(({ userId, siteId, since }) => {
      const row = { userId, siteId, since, ...(siteId === mainSiteId && { isMain: true as const }) };
      return put(table, row, ifUnchanged({ since }));
    });
}
