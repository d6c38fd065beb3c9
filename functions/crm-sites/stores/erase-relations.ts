import { transact } from '../../../lib/runtime/commit.ts';
import type { Eraser } from '../../../lib/runtime/eraser.ts';
import { inPartition } from '../../../lib/runtime/key-range.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { remove } from '../../../lib/runtime/rows.ts';
import type { CareRelations, Staff } from '../../access/data-subject.ts';
import { siteOfPart } from '../../access/data-subject.ts';
import type { EndedRelationTables } from './care-relations.ts';
import type { EndedPostTables } from './site-staff.ts';

type ErasedRelationTables = EndedRelationTables & { readonly CareRelations: CareRelations<'query'> };
type ErasedPostTables = EndedPostTables & { readonly Staff: Staff<'query'> };

/** Each relation of a patient's, in both tables. */
export const eraseCareRelations: Eraser<ErasedRelationTables> = async ({ tables }, { userId }) => {
  for await (const { siteId } of queryEach(tables.CareRelations, inPartition({ userId }))) {
    const key = { userId, siteId };
    await transact([remove(tables.CareRelations, key), remove(tables.SitePatients, key)]);
  }
};

/** The profile of a member of staff, and each post, in both tables. */
export const eraseStaff: Eraser<ErasedPostTables> = async ({ tables }, { userId }) => {
  for await (const { part } of queryEach(tables.Staff, inPartition({ userId }))) {
    const siteId = siteOfPart(part);
    const post = siteId === null ? [] : [remove(tables.SiteStaff, { siteId, userId })];
    await transact([remove(tables.Staff, { userId, part }), ...post]);
  }
};
