import { randomUUID } from 'node:crypto';
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { optionalFieldDefaults } from '../../functions/crm-sites/rules/site.ts';
import { readOwnRelations } from '../../functions/crm-sites/stores/care-relations.ts';
import { readSite, readSiteHours, readSiteSummaries, readSites } from '../../functions/crm-sites/stores/sites.ts';
import { createSite, renewCode } from '../../functions/crm-sites/workflows/change-site.ts';
import { putStaff, removeStaff } from '../../functions/crm-sites/workflows/change-staff.ts';
import { deleteSite, editSite } from '../../functions/crm-sites/workflows/edit-site.ts';
import { chooseMain, joinSite, leaveSite } from '../../functions/crm-sites/workflows/relations.ts';
import { readEntry, readStaffName } from '../../functions/crm-users/exports.ts';
import { editEntry } from '../../functions/crm-users/workflows/edit-entry.ts';
import { atOnce, now, occasion, openSites } from './open-sites.ts';

/** What changes, closes and deletes sites, and chooses a main one, against what comes at the same moment: on the local DynamoDB. */

const world = await openSites();
const { dynamo, tables } = world;

const newSite = (name = 'S') =>
  createSite(tables, { ...optionalFieldDefaults, name, timezone: 'UTC', now }, { ...occasion, once: null }, atOnce);
const etag = (revision: number) => `"${revision}"`;
const edit = (siteId: string, revision: number, changes: object) =>
  editSite(tables, { siteId, ifMatch: etag(revision), changes }, occasion, atOnce);
const remove = (siteId: string, revision: number) =>
  deleteSite(tables, { siteId, ifMatch: etag(revision) }, occasion, atOnce);
const join = (userId: string, code: string) =>
  joinSite(tables, { userId, siteId: null, code, now, realNow: now }, atOnce);
const put = (userId: string, siteId: string) => putStaff(tables, { userId, siteId, name: 'N', now }, occasion, atOnce);
const codeOf = (failed: unknown) => (failed as { error?: { code?: string } }).error?.code;
const refusal = (asked: Promise<unknown>) => asked.then(() => null, codeOf);

async function closedSite() {
  const site = await newSite();
  await edit(site.siteId, 1, { status: 'closed' });
  return site;
}

/** Every row of the site, of whichever kind. */
async function rowsOf(siteId: string) {
  const { Items = [] } = await dynamo.send(new ScanCommand({ TableName: 'Sites', ConsistentRead: true }));
  return Items.filter((row) => row.siteId === siteId).map(({ kind, siteKey }) => `${kind} ${siteKey}`);
}

async function changesOf(siteId: string) {
  const { Items = [] } = await dynamo.send(new ScanCommand({ TableName: 'AuditEvents', ConsistentRead: true }));
  return Items.filter(({ subject, action }) => subject === `site/${siteId}` && action === 'site.changed');
}

describe('a change', () => {
  test('changes the search rows of the site, and not its code', async () => {
    const { siteId, code } = await newSite('Praxis Müller');
    const address = { street: 'Ring 1', postalCode: 'SW1A 1AA', city: 'London', country: 'GB' };
    await edit(siteId, 1, { name: 'Klinik Süd', address });
    const expected = [`site ${siteId}`, `code ${code}`, `name klinik sud #${siteId}`, `postal-code sw1a1aa#${siteId}`];
    expect((await rowsOf(siteId)).toSorted()).toEqual(expected.toSorted());
    const page = { limit: 5, after: null };
    const [found] = (await readSites(tables.Sites, { kind: 'name', text: 'klinik sud' }, page)).sites;
    expect(found).toEqual(await readSite(tables.Sites, siteId));
    await edit(siteId, 2, { address: null });
    expect(await rowsOf(siteId)).not.toContain(`postal-code sw1a1aa#${siteId}`);
  });

  test('of two changes at once one is refused, because its caller has not seen the other', async () => {
    const { siteId } = await newSite();
    const changes = ['A', 'B', 'C'].map((name) => refusal(edit(siteId, 1, { name })));
    expect((await Promise.all(changes)).toSorted()).toEqual(['PRECONDITION_FAILED', 'PRECONDITION_FAILED', null]);
    expect((await readSite(tables.Sites, siteId))?.revision).toBe(2);
  });

  test('a change that was answered as if another writer had been first is made once, with one audit event', async () => {
    const { siteId } = await newSite();
    world.next.isLost = true;
    expect(await edit(siteId, 1, { name: 'B' })).toMatchObject({ name: 'B', revision: 2 });
    // The client sends it again, too; what it did not ask for it may not have seen.
    expect(await edit(siteId, 1, { name: 'B' })).toMatchObject({ name: 'B', revision: 2 });
    expect(await refusal(edit(siteId, 1, { name: 'B', phone: '+49301234567' }))).toBe('PRECONDITION_FAILED');
    await edit(siteId, 2, { phone: '+49301234567' });
    expect(await refusal(edit(siteId, 1, { name: 'B' }))).toBe('PRECONDITION_FAILED');
    expect(await changesOf(siteId)).toHaveLength(2);
  });

  test('a new code in between: the change is refused, and the new code stays', async () => {
    const { siteId } = await newSite();
    world.next.first = () => renewCode(tables, siteId, { ...occasion, once: null });
    expect(await refusal(edit(siteId, 1, { name: 'B' }))).toBe('PRECONDITION_FAILED');
    expect(await readSite(tables.Sites, siteId)).toMatchObject({ name: 'S', revision: 2 });
  });

  test('hours as other domains read them', async () => {
    const { siteId } = await newSite();
    expect(await readSiteHours(tables.Sites, siteId)).toEqual({
      siteId,
      timezone: 'UTC',
      week: null,
      holidays: null,
    });
    expect(await readSiteHours(tables.Sites, 'none')).toBeNull();
  });
});

describe('a deletion', () => {
  test('of a closed site without people leaves its name', async () => {
    const { siteId, name } = await closedSite();
    expect(await remove(siteId, 2)).toBe(true);
    expect(await rowsOf(siteId)).toEqual([`deleted ${siteId}`]);
    expect((await readSiteSummaries(tables.Sites, [siteId])).get(siteId)).toMatchObject({ name });
    expect(await remove(siteId, 2)).toBe(false);
  });

  test('that took effect although the answer was a conflict counts as a success', async () => {
    const { siteId } = await closedSite();
    world.next.isLost = true;
    expect(await remove(siteId, 2)).toBe(true);
    expect(await rowsOf(siteId)).toEqual([`deleted ${siteId}`]);
  });

  test.each([
    ['open', async () => ({ site: await newSite(), revision: 1 })],
    [
      'a patient is with',
      async () => {
        const site = await newSite();
        await join(randomUUID(), site.code);
        await edit(site.siteId, 1, { status: 'closed' });
        return { site, revision: 2 };
      },
    ],
    [
      'somebody works at',
      async () => {
        const site = await newSite();
        await put(randomUUID(), site.siteId);
        await edit(site.siteId, 1, { status: 'closed' });
        return { site, revision: 2 };
      },
    ],
  ])('is refused of a site that is %s', async (_case, make) => {
    const { site, revision } = await make();
    expect(await refusal(remove(site.siteId, revision))).toBe('SITE_IN_USE');
    expect(await readSite(tables.Sites, site.siteId)).not.toBeNull();
  });

  test('nobody is added at the last moment, because the site is closed', async () => {
    const { siteId, code } = await closedSite();
    const came: unknown[] = [];
    world.next.first = async () => {
      came.push(await join(randomUUID(), code), await put(randomUUID(), siteId));
    };
    expect(await remove(siteId, 2)).toBe(true);
    expect(came).toEqual(['wrong', 'closed']);
  });

  test('somebody opens it at the last moment and a patient joins: it is not deleted', async () => {
    const { siteId, code } = await closedSite();
    const patient = randomUUID();
    world.next.first = async () => {
      await edit(siteId, 2, { status: 'open' });
      await join(patient, code);
    };
    expect(await refusal(remove(siteId, 2))).toBe('PRECONDITION_FAILED');
    expect(await readOwnRelations(tables.CareRelations, patient)).toHaveLength(1);
    expect(await readSite(tables.Sites, siteId)).toMatchObject({ status: 'open' });
  });

  test.each([
    ['a patient', (siteId: string, code: string) => () => join(`patient-of-${siteId}`, code)],
    ['staff', (siteId: string) => () => put(randomUUID(), siteId)],
  ])('%s who was about to come does not, when the site is closed and deleted first', async (_case, coming) => {
    const { siteId, code } = await newSite();
    world.next.first = async () => {
      await edit(siteId, 1, { status: 'closed' });
      await remove(siteId, 2);
    };
    const came = await coming(siteId, code)();
    expect([null, 'wrong', 'closed']).toContain(came);
    const { Items = [] } = await dynamo.send(new ScanCommand({ TableName: 'SitePatients', ConsistentRead: true }));
    expect(Items.filter((row) => row.siteId === siteId)).toEqual([]);
    const staff = await dynamo.send(new ScanCommand({ TableName: 'SiteStaff', ConsistentRead: true }));
    expect((staff.Items ?? []).filter((row) => row.siteId === siteId)).toEqual([]);
  });
});

describe('the main site', () => {
  const choose = (userId: string, siteId: string, isMain = true) =>
    chooseMain(tables, { userId, siteId, isMain, realNow: now }, atOnce);
  const mainOf = async (userId: string) => {
    const relations = await readOwnRelations(tables.CareRelations, userId);
    return relations.filter(({ isMain }) => isMain === true).map(({ siteId }) => siteId);
  };

  test('is none until the patient chooses, then the chosen one, and none when the patient leaves it', async () => {
    const [userId, one, other] = [randomUUID(), await newSite(), await newSite()];
    await join(userId, one.code);
    await join(userId, other.code);
    expect(await mainOf(userId)).toEqual([]);
    await choose(userId, one.siteId);
    await choose(userId, other.siteId);
    expect(await mainOf(userId)).toEqual([other.siteId]);
    // Of another that is not the main one nothing is taken back.
    await choose(userId, one.siteId, false);
    expect(await mainOf(userId)).toEqual([other.siteId]);
    await leaveSite(tables, { userId, siteId: other.siteId }, atOnce);
    expect(await mainOf(userId)).toEqual([]);
    await join(userId, other.code);
    expect(await mainOf(userId)).toEqual([]);
    expect(await choose(userId, 'none')).toBeNull();
  });

  test('is one, while many sites are chosen at once and the patient joins and leaves', async () => {
    const [userId, sites] = [randomUUID(), await Promise.all([newSite(), newSite(), newSite(), newSite()])];
    for (const { code } of sites.slice(0, 3)) await join(userId, code);
    for (let round = 0; round < 6; round += 1) {
      const chosen = sites.map(({ siteId }) => choose(userId, siteId));
      const leaving = leaveSite(tables, { userId, siteId: sites[round % 4]?.siteId ?? '' }, atOnce);
      await Promise.all([...chosen, leaving, join(userId, sites[(round + 3) % 4]?.code ?? '')]);
      expect((await mainOf(userId)).length).toBeLessThanOrEqual(1);
      await join(userId, sites[round % 4]?.code ?? '');
    }
    await choose(userId, sites[0]?.siteId ?? '');
    expect(await mainOf(userId)).toEqual([sites[0]?.siteId]);
  });

  test('a site that the patient left at the last moment does not become the main site, and the relation does not come back', async () => {
    const [userId, site] = [randomUUID(), await newSite()];
    await join(userId, site.code);
    world.next.first = () => leaveSite(tables, { userId, siteId: site.siteId });
    expect(await choose(userId, site.siteId)).toBeNull();
    expect(await readOwnRelations(tables.CareRelations, userId)).toEqual([]);
  });
});

test('a removal from a site also changes the directory, even if the person is added to another site at the same time', async () => {
  const [userId, one, other] = [randomUUID(), await newSite(), await newSite()];
  await put(userId, one.siteId);
  world.next.first = () => put(userId, other.siteId);
  expect(await removeStaff(tables, { userId, siteId: one.siteId }, occasion, atOnce)).toBe(true);
  const { Items = [] } = await dynamo.send(new ScanCommand({ TableName: 'StaffDirectory', ConsistentRead: true }));
  const entries = Items.filter((row) => row.userId === userId);
  expect(entries.map(({ siteIds }) => siteIds)).toEqual([[other.siteId], [other.siteId]]);
});

test('a change of an entry that took effect, and was answered as if another writer had been first, is one', async () => {
  const userId = randomUUID();
  const editOwn = (revision: number, changes: object) =>
    editEntry(tables, { userId, isOwn: true, ifMatch: etag(revision), changes }, occasion, atOnce);
  for (const [revision, title] of [
    [1, 'Dr.'],
    [2, 'PD'],
  ] as const) {
    world.next.isLost = true;
    expect(await editOwn(revision, { title })).toMatchObject({ title, revision });
  }
  expect(await refusal(editOwn(1, { title: 'PD' }))).toBe('PRECONDITION_FAILED');
  expect(await refusal(editOwn(2, { title: 'Prof.' }))).toBe('PRECONDITION_FAILED');
});

test('a name that somebody planted in an entry is not the one that patients see, after a change that gives no name', async () => {
  const [userId, { siteId }] = [randomUUID(), await newSite()];
  await put(userId, siteId);
  const planted = { ...(await readEntry(tables.StaffDirectory, userId)), name: 'Planted' };
  await dynamo.send(
    new PutCommand({ TableName: 'StaffDirectory', Item: { part: userId, place: 'entry', ...planted } }),
  );
  const change = (revision: number, changes: object) =>
    editEntry(tables, { userId, isOwn: true, ifMatch: etag(revision), changes }, occasion, atOnce);
  expect(await change(2, { title: 'Dr.' })).toMatchObject({ title: 'Dr.' });
  expect(await readStaffName(tables.Staff, userId)).toBe('N');
  await change(3, { name: 'M' });
  expect(await readStaffName(tables.Staff, userId)).toBe('M');
});
