import { batchGet } from '../../../lib/runtime/batch-get.ts';
import { ifAbsent, ifUnchanged } from '../../../lib/runtime/conditions.ts';
import { all, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { get, put, remove } from '../../../lib/runtime/rows.ts';
import type { Post, Staff, StaffProfile } from '../../access/data-subject.ts';
import { staffPart, staffProfile } from '../../access/data-subject.ts';
import { putStaffName } from '../../crm-users/exports.ts';
import type { SiteStaff } from '../tables.ts';

/** Tables `Staff` and `SiteStaff`: two rows of one post, which come and go together, and the profile with the name. */

export type MadePostTables = {
  readonly Staff: Staff<'put'>;
  readonly SiteStaff: SiteStaff<'put'>;
};

export type EndedPostTables = {
  readonly Staff: Staff<'remove'>;
  readonly SiteStaff: SiteStaff<'remove'>;
};

type Named = Pick<Post, 'userId' | 'siteId'>;

/** Strongly consistent, as is every read here. */
export async function readPost(table: Staff<'get'>, named: Named): Promise<Post | null> {
  return get<Post>(table, { userId: named.userId, part: staffPart(named.siteId) });
}

/** In the order of their ids, each with the name. */
export async function readStaffPage(
  tables: { readonly Staff: Staff<'batchGet'>; readonly SiteStaff: SiteStaff<'query'> },
  siteId: string,
  page: Page,
): Promise<{ staff: (Post & { name: string })[]; next: string | null }> {
  const { posts, next } = await readPosts(tables.SiteStaff, siteId, page);
  const keys = posts.map(({ userId }) => ({ userId, part: staffProfile }));
  const profiles = keys.length === 0 ? [] : await batchGet<StaffProfile>(tables.Staff, keys);
  const names = new Map(profiles.map(({ userId, name }) => [userId, name]));
  return {
    staff: posts.map((post) => ({ ...post, name: names.get(post.userId) ?? '' })),
    next,
  };
}

/** The items of a transaction: somebody works at a site, under that name. On the condition that it is as it was read. */
export function putPost(tables: MadePostTables, { userId, siteId, since }: Post, name: string, before: Post | null) {
  const row = { userId, siteId, since };
  const isStill = before ? ifUnchanged({ since: before.since }) : ifAbsent('userId');
  return [
    put(tables.Staff, { ...row, part: staffPart(siteId) }, isStill),
    putStaffName(tables.Staff, userId, name),
    put(tables.SiteStaff, row),
  ];
}

/** The ids of those who work at a site, in their order. */
export async function readStaffIds(
  table: SiteStaff<'query'>,
  siteId: string,
  page: Page,
): Promise<{ userIds: string[]; next: string | null }> {
  const { posts, next } = await readPosts(table, siteId, page);
  return { userIds: posts.map(({ userId }) => userId), next };
}

type Page = { readonly limit: number; readonly after: string | null };

async function readPosts(table: SiteStaff<'query'>, siteId: string, { limit, after }: Page) {
  const query = inPartition({ siteId }, { userId: all }, after);
  const { rows: posts, next } = await queryPage(table, query, limit);
  return { posts, next };
}

/** Whether anybody works at a site. */
export async function hasStaff(table: SiteStaff<'query'>, siteId: string): Promise<boolean> {
  return (await readStaffIds(table, siteId, { limit: 1, after: null })).userIds.length > 0;
}

/** The items of a transaction that ends a post, on the condition that it is still this one. */
export function endPost(tables: EndedPostTables, { userId, siteId, since }: Post) {
  return [
    remove(tables.Staff, { userId, part: staffPart(siteId) }, ifUnchanged({ since })),
    remove(tables.SiteStaff, { siteId, userId }),
  ];
}
