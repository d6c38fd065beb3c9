import { expect, test } from 'vitest';
import { erasureStage } from '../erasure/stage.ts';
import { eventually } from '../eventually.ts';
import { readZip } from '../personal-exports/read-zip.ts';

/** A member's export and erasure over HTTP, while messages go to the group. */

const stand = erasureStage();
type Person = Awaited<ReturnType<typeof stand.person>>;
type Call = Awaited<ReturnType<typeof stand.admin>>;

async function accepted(answer: ReturnType<Call>) {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

async function sent(admin: Call, groupId: string, title: string) {
  const messages = `/groups/${groupId}/messages`;
  const { broadcastId } = await accepted(admin('POST', messages, { purpose: 'service', title, body: 'Text' }));
  return eventually(async () => {
    const message = await accepted(admin('GET', `${messages}/${broadcastId}`));
    expect(message.status).toBe('done');
    return message;
  });
}

async function exportOf({ call }: Person) {
  const { exportId } = await accepted(call('POST', '/users/me/exports'));
  const { downloadUrl } = await eventually(async () => {
    const made = await accepted(call('GET', `/users/me/exports/${exportId}`));
    expect(made.status).toBe('done');
    return made;
  });
  return readZip(Buffer.from(await (await fetch(downloadUrl)).arrayBuffer()));
}

test('the export has the own groups and deliveries; nobody closed or erased is written to, and the count is right', async () => {
  const admin = await stand.admin();
  const { groupId } = await accepted(admin('POST', '/groups', { name: 'Pilot', kind: 'patients' }));
  const [leaving, staying] = [await stand.person(), await stand.person()];
  const members = `/groups/${groupId}/members`;
  for (const { call, userId } of [leaving, staying]) {
    await accepted(call('GET', '/users/me'));
    await accepted(admin('PUT', `${members}/${userId}`));
  }
  const first = await sent(admin, groupId, 'To both');
  expect(first).toMatchObject({ total: 2, posted: 2 });

  const files = await exportOf(leaving);
  const own = JSON.parse(String(files.get('groups.json')));
  expect(own.UserGroups).toMatchObject([{ groupId, userId: leaving.userId }]);
  expect(own.GroupMessageDeliveries).toMatchObject([{ groupId, broadcastId: first.broadcastId }]);
  expect([...files.values()].map(String).join()).not.toContain(staying.userId);

  await accepted(leaving.call('DELETE', '/users/me'));
  expect(await sent(admin, groupId, 'To one')).toMatchObject({ total: 2, posted: 1, skipped: 1, failed: 0 });
  await stand.endAccess(leaving.userId);
  expect(await stand.run('erase-accounts')).toMatchObject({ ok: true });
  const left = await accepted(admin('GET', members));
  expect(left.metadata.memberCount).toBe(1);
  expect(left.items).toMatchObject([{ userId: staying.userId }]);
  expect((await accepted(admin('GET', `/users/${leaving.userId}/groups`))).items).toEqual([]);
  expect(await stand.rows('GroupMessageDeliveries', 'userId', leaving.userId)).toEqual([]);
  expect(await sent(admin, groupId, 'To the other')).toMatchObject({ total: 1, posted: 1, skipped: 0 });
  // Nor can an id that is nobody's any more come back.
  expect((await admin('PUT', `${members}/${leaving.userId}`)).body.code).toBe('USER_NOT_FOUND');
  const board = (await accepted(staying.call('GET', '/agent-board/messages'))).items;
  expect(board.map(({ title }: { title: string }) => title)).toEqual(['To the other', 'To one', 'To both']);
  expect(await stand.rows('AgentBoardMessages', 'userId', leaving.userId)).toEqual([]);
});

test('a full group takes nobody new', async () => {
  const admin = await stand.admin();
  const { groupId } = await accepted(admin('POST', '/groups', { name: 'Full', kind: 'patients' }));
  const { call, userId } = await stand.person();
  await accepted(call('GET', '/users/me'));
  await stand.put('Groups', { kind: `members#${groupId}`, groupKey: '00', members: 100_000 });
  const { status, body } = await admin('PUT', `/groups/${groupId}/members/${userId}`);
  expect([status, body.code]).toEqual([409, 'GROUP_FULL']);
  expect((await accepted(admin('GET', `/groups/${groupId}/members`))).items).toEqual([]);
});
