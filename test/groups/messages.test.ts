import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { accepted, admin, type Group, groupPath, memberPath, messagesPath, newGroup, patientIn } from './people.ts';

const chief = await admin();

const said = { purpose: 'service', title: 'A new page', body: 'From Monday on.' };
const post = (group: Group, body: object = said, headers = {}) => chief.post(messagesPath(group), { body, headers });
type Patient = Awaited<ReturnType<typeof patientIn>>;
const board = async ({ get }: Patient): Promise<{ title: string }[]> =>
  (await accepted(get('/agent-board/messages'))).items;

const finished = (group: Group, broadcastId: string) =>
  eventually(async () => {
    const message = await accepted(chief.get(`${messagesPath(group)}/${broadcastId}`));
    expect(message.status).toBe('done');
    return message;
  });

describe('202', () => {
  test('each member has it once, and the list has it with its progress', async () => {
    const group = await newGroup(chief);
    const patients = [await patientIn(chief, group), await patientIn(chief, group)];
    const gone = await patientIn(chief, group);
    await accepted(chief.delete(memberPath(group, gone.user)));
    const sent = await post(group);
    expect(sent).toMatchObject({ status: 202, body: { ...said, status: 'gathering', total: 0, posted: 0 } });
    const done = await finished(group, sent.body.broadcastId);
    expect(done).toMatchObject({ ...said, total: 2, posted: 2, failed: 0, skipped: 0 });
    expect((await accepted(chief.get(messagesPath(group)))).items).toEqual([done]);
    for (const patient of patients) expect(await board(patient)).toMatchObject([{ title: said.title, readAt: null }]);
    expect(await board(gone)).toEqual([]);
    const events = (await accepted(chief.get(`/admin/audit-events?subject=group/${group.groupId}`))).items;
    expect(events[0]).toMatchObject({ action: 'group.message-sent', after: { purpose: 'service' } });
    expect(JSON.stringify(events)).not.toContain(said.title);
  });

  test('marketing reaches who consents to it, and not who revoked', async () => {
    const group = await newGroup(chief);
    const [agreed, revoked, never] = [
      await patientIn(chief, group),
      await patientIn(chief, group),
      await patientIn(chief, group),
    ];
    for (const { post: ask } of [agreed, revoked]) await accepted(ask('/agreements/versions/marketing-1.0/agree'));
    await accepted(revoked.delete('/users/agreements/marketing/consent'));
    const { body } = await post(group, { ...said, purpose: 'marketing' });
    expect(await finished(group, body.broadcastId)).toMatchObject({ total: 3, posted: 1, failed: 0, skipped: 2 });
    const boards = [await board(agreed), await board(revoked), await board(never)];
    expect(boards.map(({ length }) => length)).toEqual([1, 0, 0]);
  });

  test('the same key, twice at once: one message', async () => {
    const group = await newGroup(chief);
    const patient = await patientIn(chief, group);
    const headers = { 'Idempotency-Key': randomUUID() };
    const [one, other] = await Promise.all([post(group, said, headers), post(group, said, headers)]);
    expect([one.status, other.status, other.body]).toEqual([202, 202, one.body]);
    await finished(group, one.body.broadcastId);
    expect(await board(patient)).toHaveLength(1);
    const elsewhere = await newGroup(chief);
    expect(await post(elsewhere, said, headers)).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    const reused = await post(group, { ...said, title: 'Other' }, headers);
    expect(reused).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect((await accepted(chief.get(messagesPath(group)))).items).toHaveLength(1);
    // Whoever asks again does not have to know that the group is gone by now.
    await accepted(chief.delete(memberPath(group, patient.user)));
    await accepted(chief.delete(groupPath(group), { headers: { 'If-Match': '"1"' } }));
    expect(await post(group, said, headers)).toMatchObject({ status: 202, body: one.body });
  });
});

describe('refused', () => {
  let unwritten: Group;
  beforeAll(async () => {
    unwritten = await newGroup(chief);
  });

  test.each([
    ['no purpose', { purpose: undefined }, 'purpose'],
    ['an unknown purpose', { purpose: 'fun' }, 'purpose'],
    ['a blank title', { title: ' ' }, 'title'],
    ['a title of two lines', { title: 'One\nTwo' }, 'title'],
    ['a title that is too long', { title: 'x'.repeat(201) }, 'title'],
    ['half a surrogate pair', { body: 'Text \ud83d' }, 'body'],
    ['a text that is too long', { body: 'x'.repeat(10_001) }, 'body'],
  ])('400: %s, and nothing is sent', async (_case, part, path) => {
    const refused = await post(unwritten, { ...said, ...part });
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', detail: { issues: [{ path }] } } });
    expect((await accepted(chief.get(messagesPath(unwritten)))).items).toEqual([]);
  });

  test('409 GROUP_WITHOUT_BOARDS: staff; 404: no such group, no such message, one of another group', async () => {
    const [group, other, staff] = [await newGroup(chief), await newGroup(chief), await newGroup(chief, 'staff')];
    expect(await post(staff)).toMatchObject({ status: 409, body: { code: 'GROUP_WITHOUT_BOARDS' } });
    const nowhere = { ...group, groupId: randomUUID() };
    expect(await post(nowhere)).toMatchObject({ status: 404, body: { code: 'GROUP_NOT_FOUND' } });
    const { broadcastId } = (await post(group)).body;
    const asked = [`${messagesPath(other)}/${broadcastId}`, `${messagesPath(group)}/${randomUUID()}`];
    for (const path of asked) {
      expect(await chief.get(path)).toMatchObject({ status: 404, body: { code: 'GROUP_MESSAGE_NOT_FOUND' } });
    }
    expect(await chief.get(`${groupPath(nowhere)}/messages`)).toMatchObject({ status: 404 });
  });
});
