import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { optionalFieldDefaults } from '../../functions/crm-sites/rules/site.ts';
import { codeAlphabet } from '../../functions/crm-sites/rules/site-code.ts';
import { readOwnRelations } from '../../functions/crm-sites/stores/care-relations.ts';
import { readPatientsOf } from '../../functions/crm-sites/stores/site-patients.ts';
import { readSite, readSiteOfCode } from '../../functions/crm-sites/stores/sites.ts';
import { createSite, renewCode } from '../../functions/crm-sites/workflows/change-site.ts';
import { putStaff, removeStaff } from '../../functions/crm-sites/workflows/change-staff.ts';
import { editSite } from '../../functions/crm-sites/workflows/edit-site.ts';
import { joinSite, leaveSite } from '../../functions/crm-sites/workflows/relations.ts';
import { partition } from '../partition.ts';
import { atOnce, now, occasion, openSites } from './open-sites.ts';

/** What many requests at once, and a crash between two, make of sites: on the local DynamoDB. */

const world = await openSites();
const { dynamo, tables } = world;

const newSite = (options = {}) =>
  createSite(
    tables,
    { ...optionalFieldDefaults, name: 'S', timezone: 'UTC', now },
    { ...occasion, once: null },
    options,
  );
const join = (userId: string, code: string, siteId: string | null = null, realNow = now) =>
  joinSite(tables, { userId, siteId, code, now, realNow }, atOnce);
const kindOf = (joined: Awaited<ReturnType<typeof join>>) => (typeof joined === 'string' ? joined : 'joined');

async function rowsOf(table: string, key: string, value: string) {
  return partition(dynamo, table, { [key]: value });
}

/** A code that is nobody's: a site's own has no such letters in a row. */
const wrongCode = (index: number) => `AAAAAA${codeAlphabet[Math.trunc(index / 25)]}${codeAlphabet[index % 25]}`;

describe('guessing', () => {
  test('fifteen wrong codes at once: only ten are checked', async () => {
    const userId = randomUUID();
    const answers = await Promise.all(Array.from({ length: 15 }, (_, index) => join(userId, wrongCode(index))));
    const count = (kind: string) => answers.filter((answer) => answer === kind).length;
    expect([count('wrong'), count('locked')]).toEqual([10, 5]);
  });

  test.each([[{}], [{ changeId: '' }], [{ changeId: null }], [{ changeId: 7 }]])(
    'a row of tries with %j keeps nobody out',
    async (more) => {
      const [userId, site] = [randomUUID(), await newSite()];
      await dynamo.send(new PutCommand({ TableName: 'SiteCodeTries', Item: { userId, ...more } }));
      expect(await join(userId, wrongCode(0))).toBe('wrong');
      await dynamo.send(new PutCommand({ TableName: 'SiteCodeTries', Item: { userId, ...more } }));
      expect(kindOf(await join(userId, site.code))).toBe('joined');
    },
  );

  test('after ten wrong codes the right code does not work for an hour', async () => {
    const [userId, site] = [randomUUID(), await newSite()];
    for (let index = 0; index < 10; index += 1) expect(await join(userId, wrongCode(index))).toBe('wrong');
    expect(await join(userId, site.code)).toBe('locked');
    expect(await join(userId, site.code, site.siteId)).toBe('locked');
    expect(await readOwnRelations(tables.CareRelations, userId)).toEqual([]);
    expect(kindOf(await join(randomUUID(), site.code))).toBe('joined');
    expect(kindOf(await join(userId, site.code, null, new Date(now.getTime() + 3_600_000)))).toBe('joined');
  });

  test('a wrong code that is answered first counts for a right code at the same time', async () => {
    const [userId, site] = [randomUUID(), await newSite()];
    for (let index = 0; index < 9; index += 1) await join(userId, wrongCode(index));
    world.next.first = () => join(userId, wrongCode(9));
    expect(await join(userId, site.code)).toBe('locked');
  });
});

describe('with a site', () => {
  test('20 at most, also with requests at once', async () => {
    const userId = randomUUID();
    const sites = await Promise.all(Array.from({ length: 22 }, () => newSite()));
    for (const { code } of sites.slice(0, 19)) await join(userId, code);
    const last = await Promise.all(sites.slice(19).map(({ code }) => join(userId, code)));
    expect(last.map(kindOf).toSorted()).toEqual(['full', 'full', 'joined']);
    expect(await readOwnRelations(tables.CareRelations, userId)).toHaveLength(20);
  });

  test('not if the site is closed or its code renewed at the last moment', async () => {
    const [userId, site, other] = [randomUUID(), await newSite(), await newSite()];
    const closing = { siteId: site.siteId, ifMatch: '"1"', changes: { status: 'closed' } } as const;
    world.next.first = () => editSite(tables, closing, occasion);
    expect(await join(userId, site.code)).toBe('wrong');
    world.next.first = () => renewCode(tables, other.siteId, { ...occasion, once: null });
    expect(await join(userId, other.code, other.siteId)).toBe('wrong');
    expect(await readOwnRelations(tables.CareRelations, userId)).toEqual([]);
  });

  test('both rows or none, while many patients join and leave at once', async () => {
    const [site, people] = [await newSite(), [randomUUID(), randomUUID(), randomUUID()]];
    const act = async (round: number) => {
      const userId = people[round % people.length] ?? '';
      if (round % 5 < 3) await join(userId, site.code);
      else await leaveSite(tables, { userId, siteId: site.siteId }, atOnce);
    };
    for (let round = 0; round < 60; round += 12) {
      await Promise.all(Array.from({ length: 12 }, (_, index) => act(round + index)));
      const own = await Promise.all(people.map((userId) => rowsOf('CareRelations', 'userId', userId)));
      const listed = await rowsOf('SitePatients', 'siteId', site.siteId);
      const sorted = own.flat().toSorted((one, other) => (one.userId < other.userId ? -1 : 1));
      expect(listed).toEqual(sorted);
    }
  });

  test('a patient who joins again during another request to leave ends the relation that exists then', async () => {
    const [userId, site] = [randomUUID(), await newSite()];
    await join(userId, site.code);
    const later = new Date(now.getTime() + 1);
    world.next.first = async () => {
      await leaveSite(tables, { userId, siteId: site.siteId });
      await joinSite(tables, { userId, siteId: null, code: site.code, now: later, realNow: now });
    };
    // It was asked before, and is decided anew on what is there.
    await leaveSite(tables, { userId, siteId: site.siteId }, atOnce);
    expect(await readOwnRelations(tables.CareRelations, userId)).toEqual([]);
    expect(await rowsOf('SitePatients', 'siteId', site.siteId)).toEqual([]);
  });
});

describe('codes', () => {
  test('if two sites get the same random code, the second draws again', async () => {
    const drawn = ['AAAACCCC', 'AAAACCCC', 'AAAADDDD'];
    const code = () => drawn.shift() ?? '';
    const [one, other] = [await newSite({ code, ...atOnce }), await newSite({ code, ...atOnce })];
    expect([one.code, other.code]).toEqual(['AAAACCCC', 'AAAADDDD']);
    expect(await readSiteOfCode(tables.Sites, one.code)).toBe(one.siteId);
    expect(await readSiteOfCode(tables.Sites, other.code)).toBe(other.siteId);
  });

  test('two renewals at once: only the last code belongs to the site', async () => {
    const { siteId, code } = await newSite();
    const renew = () => renewCode(tables, siteId, { ...occasion, once: null }, atOnce);
    const renewed = (await Promise.all([renew(), renew(), renew()])).map((answer) => answer?.code ?? '');
    const site = await readSite(tables.Sites, siteId);
    expect([renewed.includes(site?.code ?? ''), site?.revision]).toEqual([true, 4]);
    const owners = await Promise.all([code, ...renewed].map((each) => readSiteOfCode(tables.Sites, each)));
    expect(owners.filter((owner) => owner === siteId)).toHaveLength(1);
    expect(await readSiteOfCode(tables.Sites, site?.code ?? '')).toBe(siteId);
  });
});

test('staff: both rows or none, while many are added and removed at once', async () => {
  const [{ siteId }, userId] = [await newSite(), randomUUID()];
  const act = (round: number) =>
    round % 2 === 0
      ? putStaff(tables, { userId, siteId, name: `N ${round}`, now }, occasion, atOnce)
      : removeStaff(tables, { userId, siteId }, occasion, atOnce);
  for (let round = 0; round < 24; round += 6) {
    await Promise.all(Array.from({ length: 6 }, (_, index) => act(round + index)));
    const own = (await rowsOf('Staff', 'userId', userId)).filter(({ part }) => part === `site#${siteId}`);
    expect(await rowsOf('SiteStaff', 'siteId', siteId)).toEqual(own.map(({ part, ...row }) => row));
    const [entry] = await rowsOf('StaffDirectory', 'part', userId);
    expect(entry?.siteIds ?? []).toEqual(own.map((row) => row.siteId));
    const listed = (await rowsOf('StaffDirectory', 'part', '~names')).filter((row) => row.userId === userId);
    const withoutKey = ({ part, place, ...row }: Record<string, unknown>) => row;
    expect(listed.map(withoutKey)).toEqual(entry ? [withoutKey(entry)] : []);
  }
});

describe('a page of patients over several sites', () => {
  async function filled(counts: readonly number[]) {
    const sites = counts.map((_, index) => `${randomUUID()}-${index}`);
    const all: string[] = [];
    for (const [index, count] of counts.entries()) {
      for (let number = 0; number < count; number += 1) {
        const row = { siteId: sites[index], userId: `p-${String(number).padStart(3, '0')}`, since: now.toISOString() };
        await dynamo.send(new PutCommand({ TableName: 'SitePatients', Item: row }));
        all.push(`${row.siteId} ${row.userId}`);
      }
    }
    return { sites, all: all.toSorted() };
  }

  test.each([
    ['none', [], 5, 1],
    ['one that is empty', [0], 5, 1],
    ['pages that end with a site', [4, 4, 4], 4, 3],
    ['pages that end within a site', [5, 1, 3], 2, 5],
    ['empty ones between', [0, 3, 0, 0, 3, 0], 3, 3],
    ['more than ten sites with nobody', Array.from({ length: 25 }, () => 0), 5, 3],
    ['one page for all', [1, 2, 3], 100, 1],
  ])('%s', async (_name, counts, limit, mostPages) => {
    const { sites, all } = await filled(counts);
    const found: string[] = [];
    let pages = 0;
    let after: { siteId: string; userId: string } | null = null;
    do {
      const page: Awaited<ReturnType<typeof readPatientsOf>> = await readPatientsOf(tables.SitePatients, sites, {
        limit,
        after,
      });
      expect(page.relations.length).toBeLessThanOrEqual(limit);
      found.push(...page.relations.map(({ siteId, userId }) => `${siteId} ${userId}`));
      after = page.next;
      pages += 1;
    } while (after);
    expect(found).toEqual(all);
    expect(pages).toBeLessThanOrEqual(mostPages);
  });
});
