import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { countRowOf, mostMembers } from '../../functions/groups/rules/group.ts';
import type { Task } from '../../functions/groups/rules/task.ts';
import { countMembers } from '../../functions/groups/stores/groups.ts';
import { addMember, endMember } from '../../functions/groups/workflows/change-members.ts';
import { guardCount, guardKey } from '../../lib/contract/accounts.ts';
import { openBroadcasts } from './open-broadcasts.ts';

/** What becomes of a broadcast whatever happens on its way: on the local DynamoDB, without the stage. */

const world = await openBroadcasts();
afterEach(() => world.onCall(undefined));
afterAll(() => world.close());

const through = { isListed: true, open: 0, failed: 0, skipped: 0 };
const consented = (userId: string, action = 'agreed') =>
  world.put('ConsentStates', { userId, agreementId: 'marketing', action, recordedAt: '2026-01-01T00:00:00.000Z' });

test('each member gets one message, in as many parts as they fill', async () => {
  const { groupId, userIds } = await world.group(7);
  const broadcast = await world.accept(groupId);
  expect(await world.work([world.listing(broadcast)])).toMatchObject({ dead: [] });
  expect(await world.boards(userIds)).toEqual(userIds.map(() => 1));
  expect(await world.progress(broadcast)).toMatchObject({ ...through, total: 7, posted: 7 });
});

test('a full group takes nobody new, until somebody leaves', async () => {
  const { groupId } = await world.group(0);
  const occasion = { application: 'medinfo', actor: 'admin', requestId: 'r', realNow: new Date() };
  const add = (userId: string) => addMember(world.tables, { groupId, userId }, async () => true, occasion);
  await add('first');
  // As if there were so many: the count is the sum of the group's rows.
  const members = mostMembers - (await countMembers(world.tables.Groups, groupId));
  const key = { kind: `members#${groupId}`, groupKey: '00' };
  await world.put('Groups', { ...key, members: countRowOf('first') === 0 ? mostMembers : members });
  expect(await add('one-too-many')).toBe('full');
  // Whoever is in it is so still.
  expect(await add('first')).toMatchObject({ userId: 'first' });
  expect(await countMembers(world.tables.Groups, groupId)).toBe(mostMembers);
  await endMember(world.tables, { groupId, userId: 'first' }, occasion);
  expect(await add('one-too-many')).toMatchObject({ userId: 'one-too-many' });
  expect(await add('two-too-many')).toBe('full');
});

test('a group of nobody is through at once', async () => {
  const { groupId } = await world.group(0);
  const broadcast = await world.accept(groupId);
  await world.work([world.listing(broadcast)]);
  expect(await world.progress(broadcast)).toMatchObject({ ...through, total: 0, posted: 0 });
});

test.each([4, 15, 38])('an invocation that ends at call %i loses nothing and repeats nothing', async (at) => {
  const { groupId, userIds } = await world.group(5);
  for (const when of ['before', 'after'] as const) {
    const broadcast = await world.accept(groupId);
    expect(await world.work([world.listing(broadcast)], {}, { at, when })).toMatchObject({ dead: [] });
    expect(await world.progress(broadcast)).toMatchObject({ ...through, total: 5, posted: 5 });
  }
  expect(await world.boards(userIds)).toEqual(userIds.map(() => 2));
});

test('a message of the queue that comes twice, and the stream’s, change nothing', async () => {
  const { groupId, userIds } = await world.group(5);
  const broadcast = await world.accept(groupId);
  const begin = world.listing(broadcast);
  await world.work([begin, begin]);
  await world.work([begin, { ...begin, do: 'post', part: '0000000' }]);
  expect(await world.boards(userIds)).toEqual(userIds.map(() => 1));
  expect(await world.progress(broadcast)).toMatchObject({ ...through, total: 5, posted: 5 });
});

test('two at once do not mix', async () => {
  const { groupId, userIds } = await world.group(5);
  const [one, other] = [await world.accept(groupId), await world.accept(groupId)];
  await Promise.all([world.work([world.listing(one), world.listing(other)]), world.work([world.listing(other)])]);
  expect(await world.boards(userIds)).toEqual(userIds.map(() => 2));
  for (const each of [one, other]) {
    expect(await world.progress(each)).toMatchObject({ ...through, total: 5, posted: 5 });
  }
});

test('the progress is never ahead of the boards', async () => {
  const { groupId, userIds } = await world.group(6);
  const broadcast = await world.accept(groupId);
  const seen: boolean[] = [];
  world.onCall(async (command) => {
    if (command !== 'TransactWriteItemsCommand') return;
    const { posted, total, failed, skipped } = await world.progress(broadcast);
    const boards = await world.boards(userIds);
    const there = boards.reduce((sum, count) => sum + count, 0);
    seen.push(posted <= there && posted + failed + skipped <= total && total <= 6);
  });
  await world.work([world.listing(broadcast)]);
  expect(seen.length).toBeGreaterThan(6);
  expect(seen).not.toContain(false);
});

describe('who gets it', () => {
  test('nobody who came after it was accepted; nobody who left and came back', async () => {
    const accepted = new Date();
    const { groupId, userIds } = await world.group(2);
    const [, back = ''] = userIds;
    const later = new Date(accepted.getTime() + 1).toISOString();
    await world.put('GroupMembers', { groupId, userId: '~late', since: later });
    const broadcast = await world.accept(groupId, 'service', accepted);
    let isBack = false;
    world.onCall(async (command, input) => {
      if (isBack || command !== 'GetItemCommand' || input.TableName !== 'GroupMessageDeliveries') return;
      isBack = true;
      await world.put('GroupMembers', { groupId, userId: back, since: later });
    });
    await world.work([world.listing(broadcast)]);
    expect(isBack).toBe(true);
    expect(await world.boards([...userIds, '~late'])).toEqual([1, 0, 0]);
    expect(await world.progress(broadcast)).toMatchObject({ ...through, total: 2, posted: 1, skipped: 1 });
  });

  test('nobody who left before it was posted', async () => {
    const { groupId, userIds } = await world.group(1);
    const broadcast = await world.accept(groupId);
    world.onCall(async (_command, input) => {
      if (input.TableName !== 'AgentBoardMessages' && input.TableName !== 'GroupMessageDeliveries') return;
      const Key = { groupId, userId: userIds[0] };
      await world.client.send(new DeleteCommand({ TableName: 'GroupMembers', Key }));
    });
    await world.work([world.listing(broadcast)]);
    expect(await world.boards(userIds)).toEqual([0]);
    expect(await world.progress(broadcast)).toMatchObject({ ...through, total: 1, posted: 0, skipped: 1 });
  });

  test('marketing: who consents when it is posted, and not who ended the account since, or may have', async () => {
    const { groupId, userIds } = await world.group(5);
    const [agreed = '', revoked = '', ended = '', doubtful = ''] = userIds;
    await Promise.all([consented(agreed), consented(revoked, 'revoked'), consented(ended), consented(doubtful)]);
    await world.put('Accounts', { userId: ended, part: 'account', ends: ['2026-02-01T00:00:00.000Z'] });
    await world.put('Accounts', { userId: doubtful, part: 'account', ends: ['soon'] });
    const broadcast = await world.accept(groupId, 'marketing');
    await world.work([world.listing(broadcast)]);
    expect(await world.boards(userIds)).toEqual([1, 0, 0, 0, 0]);
    expect(await world.progress(broadcast)).toMatchObject({ ...through, total: 5, posted: 1, skipped: 4 });
  });

  test('marketing: nobody who revokes while the board is busy, between two tries', async () => {
    const { groupId, userIds } = await world.group(1);
    const [userId = ''] = userIds;
    await consented(userId);
    const broadcast = await world.accept(groupId, 'marketing');
    let isBusy = true;
    world.onCall(async (command, input) => {
      const writes = command === 'TransactWriteItemsCommand' && JSON.stringify(input).includes('AgentBoardMessages');
      if (!writes || !isBusy) return;
      isBusy = false;
      await consented(userId, 'revoked');
      await world.put('AgentBoardMessages', { userId, messageId: '~board', revision: 1, unreadCount: 0, latestAt: '' });
    });
    await world.work([world.listing(broadcast)]);
    expect([isBusy, await world.boards(userIds)]).toEqual([false, [0]]);
    expect(await world.progress(broadcast)).toMatchObject({ ...through, total: 1, skipped: 1 });
  });

  test('a part that two invocations have: what one of them decided first counts for both', async () => {
    const { groupId, userIds } = await world.group(2);
    const [gone = '', there = ''] = userIds;
    const broadcast = await world.accept(groupId);
    const { broadcastId } = broadcast;
    await world.put('GroupMessageDeliveries', { userId: there, broadcastId, groupId, skippedAt: 'before' });
    let isPosted = false;
    world.onCall(async (command, input) => {
      if (input.TableName === 'GroupMembers' && command === 'GetItemCommand')
        await world.client.send(new DeleteCommand({ TableName: 'GroupMembers', Key: { groupId, userId: gone } }));
      if (isPosted || command !== 'TransactWriteItemsCommand' || !JSON.stringify(input).includes('skippedAt')) return;
      isPosted = true;
      await world.put('GroupMessageDeliveries', { userId: gone, broadcastId, groupId, postedAt: 'meanwhile' });
    });
    await world.work([world.listing(broadcast)]);
    expect([isPosted, await world.boards(userIds)]).toEqual([true, [0, 0]]);
    expect(await world.progress(broadcast)).toMatchObject({ ...through, total: 2, posted: 1, skipped: 1 });
  });

  test('nobody whose account is closed, or is closed before the transaction', async () => {
    const { groupId, userIds } = await world.group(2);
    const [closed = '', closing = ''] = userIds;
    await world.put('Accounts', { userId: closed, part: 'account', isClosed: true });
    for (let guard = 0; guard < guardCount; guard += 1) await world.put('Accounts', guardKey(closing, guard));
    const broadcast = await world.accept(groupId);
    await world.work([world.listing(broadcast)]);
    expect(await world.boards(userIds)).toEqual([0, 0]);
    expect(await world.progress(broadcast)).toMatchObject({ ...through, total: 2, skipped: 2 });
  });
});

test('of ten at once to one group three are accepted, and another one when one of them is through', async () => {
  const [{ groupId }, other] = [await world.group(1), await world.group(1)];
  const asked = await Promise.allSettled(Array.from({ length: 10 }, () => world.accept(groupId)));
  const accepted = asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const refused = asked.flatMap((each) => (each.status === 'rejected' ? [String(each.reason.message)] : []));
  expect([accepted.length, [...new Set(refused)]]).toEqual([3, ['too-many']]);
  await world.accept(other.groupId);
  const [first] = accepted;
  if (!first) throw new Error('none was accepted');
  await world.work([world.listing(first)]);
  await world.accept(groupId);
  await expect(world.accept(groupId)).rejects.toThrow('too-many');
});

test.each([
  ['of no form', 'x'],
  ['of a broadcast that is not there', { do: 'list', groupId: 'g', broadcastId: 'b', from: 0 }],
  ['of a part that is not there', { do: 'post', part: '9999999' }],
  ['that names nothing to do', { do: 'x' }],
  ['that lists from nowhere', { do: 'list', from: 'x' }],
])('a message of the queue %s does nothing to a broadcast that is under way', async (_case, strange) => {
  const { groupId, userIds } = await world.group(3);
  const broadcast = await world.accept(groupId);
  const begin = world.listing(broadcast);
  const poison = typeof strange === 'string' ? strange : { ...begin, ...strange };
  const { dead } = await world.work([poison as Task, begin, poison as Task]);
  expect(dead.filter((task) => task !== poison)).toEqual([]);
  expect(await world.progress(broadcast)).toMatchObject({ ...through, total: 3, posted: 3 });
  expect(await world.boards(userIds)).toEqual([1, 1, 1]);
});

test('if one member cannot be posted to, only this member fails, and gets the message when the dead letter comes again', async () => {
  const { groupId, userIds } = await world.group(5);
  const [bad = ''] = userIds;
  const broadcast = await world.accept(groupId);
  world.onCall(async (command, input) => {
    const isBad = (input.Key as { userId?: string } | undefined)?.userId === bad;
    if (command === 'GetItemCommand' && input.TableName === 'AgentBoardMessages' && isBad) throw new Error('bad');
  });
  const { dead } = await world.work([world.listing(broadcast)]);
  expect(dead).toMatchObject([{ do: 'post', part: '0000000' }]);
  expect(await world.progress(broadcast)).toMatchObject({ ...through, total: 5, posted: 4, failed: 1 });
  expect(await world.work(dead)).toMatchObject({ dead: [expect.anything()] });
  expect(await world.progress(broadcast)).toMatchObject({ ...through, total: 5, posted: 4, failed: 1 });
  world.onCall(undefined);
  expect(await world.work(dead)).toMatchObject({ dead: [] });
  expect(await world.progress(broadcast)).toMatchObject({ ...through, total: 5, posted: 5 });
  expect(await world.boards(userIds)).toEqual(userIds.map(() => 1));
});

test('whoever was never tried counts as failed with nobody, however little time those take who fail', async () => {
  const { groupId, userIds } = await world.group(20);
  const bad: readonly string[] = userIds.slice(0, 10);
  const broadcast = await world.accept(groupId);
  const tries = new Map<string, number>();
  let asked = 0;
  world.onCall(async (command, input) => {
    // The first call of an invocation.
    if (input.TableName === 'GroupMessages') asked = 0;
    const { userId = '' } = (input.Key ?? {}) as { userId?: string };
    if (command !== 'GetItemCommand' || input.TableName !== 'AgentBoardMessages' || !bad.includes(userId)) return;
    tries.set(userId, (tries.get(userId) ?? 0) + 1);
    throw new Error('bad');
  });
  // Each has time for six members.
  const remainingMs = () => {
    asked += 1;
    return asked > 6 ? 0 : 10_000;
  };
  const sizes = { partMembers: 20, pagesAtOnce: 2 };
  const { dead } = await world.work([world.listing(broadcast)], { remainingMs, sizes });
  expect(dead).toHaveLength(1);
  expect(await world.progress(broadcast)).toMatchObject({ ...through, total: 20, posted: 10, failed: 10 });
  expect(await world.boards(userIds)).toEqual([...bad.map(() => 0), ...userIds.slice(10).map(() => 1)]);
  expect([...tries.values()].filter((count) => count > 0)).toHaveLength(10);
  world.onCall(undefined);
  expect(await world.work(dead)).toMatchObject({ dead: [] });
  expect(await world.progress(broadcast)).toMatchObject({ ...through, total: 20, posted: 20 });
});

test('where time is up the rest has a message of its own', async () => {
  const { groupId, userIds } = await world.group(4);
  const broadcast = await world.accept(groupId);
  let asked = 0;
  const remainingMs = () => {
    asked += 1;
    return asked % 2 === 1 ? 10_000 : 0;
  };
  await world.work([world.listing(broadcast)], { remainingMs });
  expect(await world.boards(userIds)).toEqual(userIds.map(() => 1));
  expect(await world.progress(broadcast)).toMatchObject({ ...through, total: 4, posted: 4 });
});

test('a month later nobody gets it any more', async () => {
  const { groupId, userIds } = await world.group(2);
  const broadcast = await world.accept(groupId, 'service', new Date(Date.now() - 30 * 86_400_000));
  await world.work([world.listing(broadcast)]);
  expect(await world.boards(userIds)).toEqual([0, 0]);
});

test.each(['9999-12-31T23:59:59.999Z', '+275760-09-13T00:00:00.000Z'])(
  'one that somebody planted, of the time %s, is on no board, and the next one is',
  async (createdAt) => {
    const { groupId, userIds } = await world.group(2);
    const planted = { ...(await world.accept(groupId)), createdAt };
    await world.put('GroupMessages', planted);
    await world.work([world.listing(planted)]);
    expect(await world.boards(userIds)).toEqual([0, 0]);
    await world.work([world.listing(await world.accept(groupId))]);
    expect(await world.boards(userIds)).toEqual([1, 1]);
  },
);
