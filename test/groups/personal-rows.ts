import { accepted, type PersonalRows } from '../personal-rows.ts';

export const personalRows: PersonalRows = async ({ userId, admin, put }) => {
  const created = admin('POST', '/groups', { name: 'Personal rows', kind: 'patients' });
  const { groupId } = ((await created) as unknown as { body: { groupId: string } }).body;
  await accepted(admin('PUT', `/groups/${groupId}/members/${userId}`));
  const expiresAt = 4_000_000_000;
  await put('GroupMessageDeliveries', {
    userId,
    broadcastId: 'b',
    groupId,
    postedAt: '2026-01-01T00:00:00.000Z',
    expiresAt,
  });
  // Of a message to the group that is under way, and of one that the person sent.
  await put('GroupMessageParts', {
    broadcastId: 'b',
    part: '0000000',
    userIds: [userId],
    tried: [],
    isGivenUp: false,
    revision: 1,
  });
  await put('GroupMessages', { groupId, broadcastId: 'b', authorId: userId, title: 'Title', body: 'Text', expiresAt });
};
