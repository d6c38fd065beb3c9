import assert from 'node:assert/strict';
import type { End, Request, Row, Scenario, SetUp } from '../../../lib/explore/scenario.ts';
import { profileOf } from '../../agent-board/explored/board.ts';
import { admin, patient, physician } from '../../explorer/people.ts';

/** Sites as the scenarios make and read them. */

type Site = { readonly siteId: string; readonly code: string };

/** Named by the set-up. */
export const made: { first: Site; second: Site } = {
  first: { siteId: '', code: '' },
  second: { siteId: '', code: '' },
};

async function makes({ call }: SetUp, name: string): Promise<Site> {
  const { body } = await call(admin, 'createSite', {
    headers: { 'Idempotency-Key': name },
    body: { name, timezone: 'Europe/Berlin' },
  });
  return { siteId: String(body.siteId), code: String(body.code) };
}

export async function withSites(given: SetUp): Promise<void> {
  await given.put('Users', profileOf(patient), profileOf(physician));
  made.first = await makes(given, 'First');
  made.second = await makes(given, 'Second');
}

export const joins = ({ code }: Site): Request => ({ body: { code } });
export const leaves = ({ siteId }: Site): Request => ({ params: { siteId } });
export const choosesMain = ({ siteId }: Site, main = true): Request => ({ params: { siteId }, body: { main } });
export const renews = ({ siteId }: Site, key: string): Request => ({
  params: { siteId },
  headers: { 'Idempotency-Key': key },
});
export const staffed = ({ siteId }: Site, name?: string): Request => ({
  params: { siteId, userId: physician.userId },
  ...(name !== undefined && { body: { name } }),
});
export const changes = ({ siteId }: Site, revision: number, body: Row): Request => ({
  params: { siteId },
  headers: { 'If-Match': `"${revision}"` },
  body,
});

const pairs = (rows: readonly Row[], ...fields: readonly string[]) =>
  rows.map((row) => fields.map((field) => row[field]).join(' ')).toSorted();

export const relationsOf = ({ rows }: Pick<End, 'rows'>, userId: string) =>
  rows('CareRelations').filter((relation) => relation.userId === userId);

/** The post itself; a person's name and other rows are beside it. */
export const postsIn = ({ rows }: Pick<End, 'rows'>) => rows('Staff').filter(({ since }) => since !== undefined);

export const siteInvariants: Scenario['invariants'] = {
  'who is with a site stands on both sides': ({ rows }) => {
    const of = (table: string) => pairs(rows(table), 'userId', 'siteId', 'since');
    assert.deepEqual(of('CareRelations'), of('SitePatients'));
  },
  'who works at a site stands on both sides, and in the directory': (end) => {
    const posts = pairs(postsIn(end), 'userId', 'siteId');
    assert.deepEqual(posts, pairs(end.rows('SiteStaff'), 'userId', 'siteId'));
    const entries = end.rows('StaffDirectory').filter(({ part }) => part === physician.userId);
    const listed = entries.flatMap(({ siteIds = [] }) => [...siteIds].map((siteId) => `${physician.userId} ${siteId}`));
    assert.deepEqual(listed.toSorted(), posts);
  },
  'each user has one main site at most': (end) => {
    for (const all of Map.groupBy(end.rows('CareRelations'), ({ userId }) => userId).values()) {
      assert.ok(all.filter(({ isMain }) => isMain === true).length <= 1);
    }
  },
  'a code leads to the site that has it, and to no other': ({ rows }) => {
    const sites = rows('Sites').filter(({ kind }) => kind === 'site');
    const codes = rows('Sites').filter(({ kind }) => kind === 'code');
    assert.deepEqual(
      pairs(codes, 'siteKey', 'siteId'),
      sites.map(({ code, siteId }) => `${code} ${siteId}`).toSorted(),
    );
  },
  'a search finds each site by its name': ({ rows }) => {
    const count = (kind: string) => rows('Sites').filter((row) => row.kind === kind).length;
    assert.equal(count('name'), count('site'));
  },
};
