import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ownLooks } from '../access-log/own-looks.ts';
import { client } from '../api.ts';
import { accepted, admin, type Group, groupPath, memberPath, newGroup, patientIn } from './people.ts';

const chief = await admin();

const actionsOn = async (subject: string) => {
  const { items } = await accepted(chief.get(`/admin/audit-events?subject=${subject}`));
  return items.map(({ action }: { action: string }) => action);
};
const count = async (group: Group) =>
  (await accepted(chief.get(`${groupPath(group)}/members`))).metadata.memberCount as number;
const withTag = (tag: string | null, body?: object) => ({
  headers: { ...(tag !== null && { 'If-Match': tag }) },
  ...(body && { body }),
});

describe('groups', () => {
  test('made, read, renamed and deleted, each with its audit event', async () => {
    const body = { name: ' Pilot ', kind: 'patients', description: 'Of autumn' };
    const made = await chief.post('/groups', { body });
    expect(made).toMatchObject({ status: 201, body: { ...body, name: 'Pilot' } });
    const path = groupPath(made.body);
    const read = await chief.get(path);
    expect(read.body).toEqual(made.body);
    const tag = read.headers.get('etag');
    const renamed = await chief.put(path, withTag(tag, { name: 'Winter', description: '' }));
    expect(renamed).toMatchObject({ status: 200, body: { ...made.body, name: 'Winter', description: '' } });
    expect(await chief.put(path, withTag(tag, { name: 'Late', description: '' }))).toMatchObject({ status: 412 });
    expect(await chief.delete(path, withTag(tag))).toMatchObject({ status: 412 });
    const { groupId } = made.body;
    const deleted = await chief.delete(path, withTag(renamed.headers.get('etag')));
    expect(deleted).toMatchObject({ status: 200, body: { success: true, groupId } });
    expect(await chief.get(path)).toMatchObject({ status: 404, body: { code: 'GROUP_NOT_FOUND' } });
    expect(await actionsOn(`group/${groupId}`)).toEqual(['group.deleted', 'group.replaced', 'group.created']);
  });

  test('the same key makes one group; another body under it is 409', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = { name: 'Once', kind: 'staff' };
    const [one, other] = [
      await chief.post('/groups', { headers, body }),
      await chief.post('/groups', { headers, body }),
    ];
    expect(other).toMatchObject({ status: 201, body: one.body });
    const reused = await chief.post('/groups', { headers, body: { ...body, name: 'Twice' } });
    expect(reused).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  });

  test('428 without If-Match, and the group stays as it is', async () => {
    const group = await newGroup(chief);
    expect((await chief.put(groupPath(group), { body: { name: 'X', description: '' } })).status).toBe(428);
    expect((await chief.delete(groupPath(group))).status).toBe(428);
    expect((await chief.get(groupPath(group))).body).toEqual(group);
  });

  test.each([
    ['a blank name', { name: ' \u00a0' }, 'name'],
    ['a name that is too long', { name: 'x'.repeat(201) }, 'name'],
    ['a name of two lines', { name: 'One\nTwo' }, 'name'],
    ['half a surrogate pair', { name: 'Pilot \ud83d' }, 'name'],
    ['a description that is too long', { description: 'x'.repeat(1001) }, 'description'],
    ['a kind that there is not', { kind: 'everybody' }, 'kind'],
  ])('400: %s', async (_case, part, path) => {
    const refused = await chief.post('/groups', { body: { name: 'Pilot', kind: 'patients', ...part } });
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', detail: { issues: [{ path }] } } });
  });

  test('the longest texts are taken as they are', async () => {
    const body = { name: '😀'.repeat(100), kind: 'patients', description: 'ä\n'.repeat(500) };
    expect(await chief.post('/groups', { body })).toMatchObject({ status: 201, body });
  });

  test('all of them, page by page', async () => {
    const made = [await newGroup(chief), await newGroup(chief)].map(({ groupId }) => groupId);
    const found: string[] = [];
    let next = '';
    do {
      const { items, metadata } = await accepted(chief.get(`/groups?limit=5${next}`));
      found.push(...items.map(({ groupId }: Group) => groupId));
      next = metadata.nextCursor === null ? '' : `&cursor=${encodeURIComponent(metadata.nextCursor)}`;
    } while (next !== '');
    expect(found.filter((id) => made.includes(id))).toEqual(made);
  });
});

describe('members', () => {
  test('in it, counted, in both lists, and out of it again; twice is as once', async () => {
    const [group, other] = [await newGroup(chief), await newGroup(chief)];
    const [one, two] = [await patientIn(chief, group, other), await patientIn(chief, group)];
    const again = await chief.put(memberPath(group, one.user));
    expect(again).toMatchObject({ status: 200, body: { groupId: group.groupId, userId: one.user } });
    const path = `${groupPath(group)}/members?limit=1`;
    const first = await accepted(chief.get(path));
    const second = await accepted(chief.get(`${path}&cursor=${encodeURIComponent(first.metadata.nextCursor)}`));
    const users = [...first.items, ...second.items].map(({ userId }) => userId);
    expect(users).toEqual([one.user, two.user].toSorted());
    expect([first.metadata, second.metadata]).toMatchObject([
      { memberCount: 2, hasMore: true },
      { memberCount: 2, hasMore: false },
    ]);
    const ofOne = (await accepted(chief.get(`/users/${one.user}/groups`))).items;
    expect(ofOne.map(({ groupId }: Group) => groupId)).toEqual([group.groupId, other.groupId].toSorted());
    for (const _time of [1, 2]) {
      const removed = await chief.delete(memberPath(group, one.user));
      expect(removed).toMatchObject({ status: 200, body: { success: true, userId: one.user } });
    }
    expect(await count(group)).toBe(1);
    expect((await accepted(chief.get(`/users/${one.user}/groups`))).items).toMatchObject([{ groupId: other.groupId }]);
    const subject = `group/${group.groupId}/member/${one.user}`;
    expect(await actionsOn(subject)).toEqual(['group.member-removed', 'group.member-added']);
    expect((await ownLooks(one)).length).toBeGreaterThan(2);
  });

  test('twenty at once of the same two people: two members', async () => {
    const group = await newGroup(chief);
    const people = [await patientIn(chief), await patientIn(chief)];
    const puts = Array.from({ length: 20 }, (_, index) => chief.put(memberPath(group, people[index % 2]?.user ?? '')));
    const answers = await Promise.all(puts);
    expect([...new Set(answers.map(({ status }) => status))]).toEqual([200]);
    expect(new Set(answers.map(({ body }) => body.since)).size).toBe(2);
    expect(await count(group)).toBe(2);
  });

  test('409 GROUP_NOT_EMPTY: a group with a member stays', async () => {
    const group = await newGroup(chief);
    const { user } = await patientIn(chief, group);
    const refused = await chief.delete(groupPath(group), withTag('"1"'));
    expect(refused).toMatchObject({ status: 409, body: { code: 'GROUP_NOT_EMPTY' } });
    await accepted(chief.delete(memberPath(group, user)));
    expect((await chief.delete(groupPath(group), withTag('"1"'))).status).toBe(200);
    expect(await chief.put(memberPath(group, user))).toMatchObject({ status: 404, body: { code: 'GROUP_NOT_FOUND' } });
  });

  test('of a deletion and a join at once one is first: no member without a group', async () => {
    const group = await newGroup(chief);
    const { user } = await patientIn(chief);
    const [deleted, joined] = await Promise.all([
      chief.delete(groupPath(group), withTag('"1"')),
      chief.put(memberPath(group, user)),
    ]);
    expect([[200, 404].join(), [409, 200].join()]).toContain([deleted.status, joined.status].join());
    expect((await accepted(chief.get(`/users/${user}/groups`))).items).toHaveLength(joined.status === 200 ? 1 : 0);
  });

  test('404 USER_NOT_FOUND: nobody, staff among patients, a patient among staff, a closed account', async () => {
    const [patients, staff] = [await newGroup(chief), await newGroup(chief, 'staff')];
    const physician = await client({ application: 'medinfo', roles: 'physician' });
    await accepted(physician.get('/users/me'));
    const [{ user }, closed] = [await patientIn(chief), await patientIn(chief)];
    await accepted(closed.delete('/users/me'));
    const tried = [
      [patients, randomUUID()],
      [patients, physician.user],
      [staff, user],
      [patients, closed.user],
    ] as const;
    for (const [group, userId] of tried) {
      const refused = await chief.put(memberPath(group, userId));
      expect(refused).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } });
    }
    expect((await chief.put(memberPath(staff, physician.user))).status).toBe(200);
    expect([await count(patients), await count(staff)]).toEqual([0, 1]);
  });
});
