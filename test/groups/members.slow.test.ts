import { S3Client } from '@aws-sdk/client-s3';
import { SNSClient } from '@aws-sdk/client-sns';
import { DeleteCommand, NumberValue, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { eraseMemberships } from '../../functions/groups/stores/erase-memberships.ts';
import { countMembers } from '../../functions/groups/stores/groups.ts';
import { readMembers, readMemberships } from '../../functions/groups/stores/memberships.ts';
import { removeGroup } from '../../functions/groups/workflows/change-group.ts';
import { addMember, endMember } from '../../functions/groups/workflows/change-members.ts';
import { Failure } from '../../lib/runtime/failure.ts';
import { openBroadcasts } from './open-broadcasts.ts';

/** Who is in a group while many come and go at once, and while a message goes to it. */

const world = await openBroadcasts();
afterAll(() => world.close());

const occasion = () => ({ application: 'medinfo', actor: 'admin', requestId: 'r', realNow: new Date() });
const isUser = async () => true;
const join = (groupId: string, userId: string) => addMember(world.tables, { groupId, userId }, isUser, occasion());
const leave = (groupId: string, userId: string) => endMember(world.tables, { groupId, userId }, occasion());

const erase = (userId: string) => {
  // It calls DynamoDB only.
  const others = { sns: new SNSClient({}), s3: new S3Client({}), buckets: {} };
  return eraseMemberships({ tables: world.tables, ...others }, { userId, erasedAt: '2026-01-01T00:00:00.000Z' });
};

/** Before each transaction of those who change members. @returns ends it */
function beforeWrites(act: () => Promise<void>): () => void {
  const send = world.client.send.bind(world.client) as (command: object) => Promise<never>;
  const spy = vi.spyOn(world.client, 'send').mockImplementation(async (command: object) => {
    if (command instanceof TransactWriteCommand) await act();
    return send(command);
  });
  onTestFinished(() => spy.mockRestore());
  return () => spy.mockRestore();
}

/** What was refused as UNAVAILABLE changed nothing. */
async function settledAll(changes: readonly Promise<unknown>[]): Promise<number> {
  const outcomes = await Promise.allSettled(changes);
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  for (const reason of refused) if (!(reason instanceof Failure)) throw reason;
  return refused.length;
}

async function stateOf(groupId: string, userIds: readonly string[]) {
  const { members } = await readMembers(world.tables.GroupMembers, groupId, { limit: 100, after: null });
  const page = { limit: 100, after: null };
  const inverse = await Promise.all(
    userIds.map(async (userId) => {
      const { memberships } = await readMemberships(world.tables.UserGroups, userId, page);
      return memberships.some((each) => each.groupId === groupId) ? [userId] : [];
    }),
  );
  const count = await countMembers(world.tables.Groups, groupId);
  return { count, members: members.map(({ userId }) => userId), inverse: inverse.flat().toSorted() };
}

test('fifty who come, go and come back at once, round after round: the count is that of the members', async () => {
  const { groupId } = await world.group(0);
  const userIds = Array.from({ length: 50 }, (_, index) => `user-${index}`).toSorted();
  let refused = await settledAll(userIds.map((userId) => join(groupId, userId)));
  for (let round = 0; round < 6; round += 1) {
    const changes = userIds.flatMap((userId, index) =>
      // Each is in two hands: a double click, or a join and a leave that cross.
      index % 2 === round % 2
        ? [leave(groupId, userId), leave(groupId, userId)]
        : [join(groupId, userId), leave(groupId, userId)],
    );
    refused += await settledAll(changes);
    const { count, members, inverse } = await stateOf(groupId, userIds);
    expect({ count, inverse }).toEqual({ count: members.length, inverse: members });
    refused += await settledAll(userIds.map((userId) => join(groupId, userId)));
  }
  // One at a time nobody is refused.
  for (const userId of userIds) await join(groupId, userId);
  expect(await stateOf(groupId, userIds)).toEqual({ count: 50, members: userIds, inverse: userIds });
  for (const userId of userIds) await leave(groupId, userId);
  expect((await stateOf(groupId, userIds)).count).toBe(0);
  // 950 changes, up to a hundred at once.
  expect(refused).toBeLessThan(95);
});

test('a group that is emptied and deleted while a message goes to it: whoever was not reached gets nothing, and it ends', async () => {
  const { groupId } = await world.group(0);
  const userIds = Array.from({ length: 9 }, (_, index) => `gone-${index}`).toSorted();
  for (const userId of userIds) await join(groupId, userId);
  const broadcast = await world.accept(groupId);
  let posts = 0;
  world.onCall(async (command, input) => {
    if (command !== 'TransactWriteItemsCommand' || !JSON.stringify(input).includes('GroupMessageDeliveries')) return;
    posts += 1;
    if (posts !== 3) return;
    for (const userId of userIds) await leave(groupId, userId);
    const group = { groupId, name: 'Pilot', kind: 'patients', description: '', createdAt: '', revision: 1 } as const;
    expect(await removeGroup(world.tables, { ...group, changeId: 'r' }, occasion())).toBe('deleted');
  });
  expect(await world.work([world.listing(broadcast)])).toMatchObject({ dead: [] });
  world.onCall(undefined);
  const boards = (await world.boards(userIds)).reduce((sum, count) => sum + count, 0);
  const { total, posted, failed, skipped, open, isListed } = await world.progress(broadcast);
  expect({ posted, failed, open, isListed }).toEqual({ posted: boards, failed: 0, open: 0, isListed: true });
  expect([posted >= 2, posted < 9, total]).toEqual([true, true, posted + skipped]);
  await expect(world.accept(groupId)).rejects.toThrow('no-group');
});

test('a membership of which one row was deleted by hand: the message goes on without it, and an erasure ends the rest', async () => {
  const { groupId } = await world.group(0);
  const userIds = ['a', 'b', 'c'];
  for (const userId of userIds) await join(groupId, userId);
  await world.client.send(new DeleteCommand({ TableName: 'GroupMembers', Key: { groupId, userId: 'b' } }));
  const broadcast = await world.accept(groupId);
  expect(await world.work([world.listing(broadcast)])).toMatchObject({ dead: [] });
  expect(await world.progress(broadcast)).toMatchObject({ total: 2, posted: 2 });
  expect(await stateOf(groupId, userIds)).toEqual({ count: 3, members: ['a', 'c'], inverse: userIds });
  for (const _time of [1, 2]) await erase('b');
  expect(await stateOf(groupId, userIds)).toEqual({ count: 2, members: ['a', 'c'], inverse: ['a', 'c'] });
});

test('whoever has only one row of a membership, or rows of other times, can be removed, and gets no message', async () => {
  const { groupId } = await world.group(0);
  const put = (name: 'GroupMembers' | 'UserGroups', userId: string, since?: string) =>
    world.put(name, { groupId, userId, ...(since !== undefined && { since }) });
  const userIds = ['honest', 'planted', 'two-times', 'unlisted'];
  for (const userId of ['honest', 'two-times', 'unlisted']) await join(groupId, userId);
  await put('GroupMembers', 'planted', '2026');
  await put('GroupMembers', 'two-times', '2026');
  await put('UserGroups', 'two-times');
  await world.client.send(new DeleteCommand({ TableName: 'GroupMembers', Key: { groupId, userId: 'unlisted' } }));
  for (const userId of userIds.slice(1)) {
    expect([await leave(groupId, userId), await leave(groupId, userId)]).toEqual([true, false]);
  }
  expect(await stateOf(groupId, userIds)).toEqual({ count: 1, members: ['honest'], inverse: ['honest'] });
});

test.each<[string, object | null, object | null]>([
  ['whole', {}, {}],
  ['of which one row has only its key', { since: undefined }, {}],
  ['without the one row', null, {}],
  ['without the other, which has only its key', { since: undefined }, null],
  ['of a time that is a number of many digits', { since: NumberValue.from('1000000000000000000000000000000') }, {}],
])(
  'of two who remove a member at once, by rows that both have read, one does: a membership %s',
  async (_what, own, inverse) => {
    const { groupId } = await world.group(0);
    await join(groupId, 'member');
    const names = ['GroupMembers', 'UserGroups'] as const;
    for (const [index, more] of [own, inverse].entries()) {
      const [TableName, Key] = [names[index] ?? '', { groupId, userId: 'member' }];
      await world.client.send(new DeleteCommand({ TableName, Key }));
      const row = Object.entries({ ...Key, since: '2026-01-01T00:00:00.000Z', ...more }).filter(([, value]) => value);
      if (more) await world.client.send(new PutCommand({ TableName, Item: Object.fromEntries(row) }));
    }
    // Both have read the rows when the first of them writes.
    const release = Promise.withResolvers<void>();
    let writers = 0;
    const restore = beforeWrites(async () => {
      writers += 1;
      if (writers === 2) release.resolve();
      await release.promise;
    });
    expect((await Promise.all([leave(groupId, 'member'), leave(groupId, 'member')])).toSorted()).toEqual([false, true]);
    restore();
    expect((await stateOf(groupId, ['member'])).members).toEqual([]);
  },
);

test('of two who delete a group at two revisions, one is told that it is deleted', async () => {
  const { groupId } = await world.group(0);
  const group = { groupId, name: 'Pilot', kind: 'patients', description: '', createdAt: '', changeId: 'r' } as const;
  const restore = beforeWrites(async () => {
    restore();
    expect(await removeGroup(world.tables, { ...group, revision: 1 }, occasion())).toBe('deleted');
  });
  expect(await removeGroup(world.tables, { ...group, revision: 1 }, occasion())).toBe('changed');
});

test('an erasure that meets the same person being taken out, and others who come: the count is that of the members', async () => {
  const groups = await Promise.all(Array.from({ length: 5 }, () => world.group(0)));
  const others = Array.from({ length: 20 }, (_, index) => `other-${index}`).toSorted();
  for (const { groupId } of groups) await join(groupId, 'erased');
  const comers = groups.flatMap(({ groupId }) => others.map((userId) => join(groupId, userId)));
  const leaving = groups.map(({ groupId }) => leave(groupId, 'erased'));
  await settledAll([erase('erased'), ...comers, ...leaving]);
  await erase('erased');
  for (const { groupId } of groups) {
    const { count, members, inverse } = await stateOf(groupId, [...others, 'erased']);
    expect({ count, inverse }).toEqual({ count: members.length, inverse: members });
    expect(members).not.toContain('erased');
  }
});
