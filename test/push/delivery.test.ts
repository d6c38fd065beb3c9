import { expect, test } from 'vitest';
import { pushStage, token } from './delivery-stage.ts';

/** The whole way, from the app's call to what its phones get. */

const { patient, post, got, queued, settled, faults, log } = pushStage();

test('a new message is an ordinary push on each device of its user, and on none elsewhere', async () => {
  const [one, two, elsewhere] = [token(), token(), token()];
  const { userId } = await patient(one, two);
  await patient(elsewhere);
  const messageId = await post(userId);
  await settled();
  expect(got(one)).toEqual([`agent_board ${messageId}`]);
  expect(got(two)).toEqual([`agent_board ${messageId}`]);
  expect(got(elsewhere)).toEqual([]);
  const counted = log.filter((line) => line.startsWith('send-push ') && line.includes('"pushesSent":1'));
  expect(counted).toHaveLength(2);
  expect(JSON.parse(counted[0]?.slice('send-push '.length) ?? '')).toMatchObject({
    application: 'sleepcare',
    _aws: { CloudWatchMetrics: [{ Namespace: 'MobileHealth', Dimensions: [['application']] }] },
  });
});

test('the first reading is one silent push with the count that is left; reading again is none', async () => {
  const phone = token();
  const { userId, read } = await patient(phone);
  const [first] = [await post(userId), await post(userId)];
  await settled();
  expect(got(phone)).toHaveLength(2);
  expect(await read(first)).toBe(1);
  await settled();
  expect(got(phone).slice(2)).toEqual(['badge_sync 1']);
  expect(await read(first)).toBe(1);
  await settled();
  expect(got(phone)).toHaveLength(3);
});

test('readings that follow each other are one push, of the last count', async () => {
  const phone = token();
  const { userId, read } = await patient(phone);
  const messages: string[] = [];
  for (let i = 0; i < 5; i += 1) messages.push(await post(userId));
  await settled();
  expect(got(phone)).toHaveLength(5);
  // No earlier reading is sent, as if all came within the dispatcher's window.
  faults.dynamo = ({ action, input }) =>
    action === 'GetRecords' && String(input.ShardIterator).includes('AgentBoardMessages') ? 'throttle' : undefined;
  for (const message of messages) await read(message);
  delete faults.dynamo;
  await settled();
  expect(got(phone).slice(5)).toEqual(['badge_sync 0']);
});

test('all up to a message is one silent push, however many were read; again is none', async () => {
  const phone = token();
  const { userId, readUpTo } = await patient(phone);
  const messages: string[] = [];
  for (let i = 0; i < 4; i += 1) messages.push(await post(userId));
  await settled();
  expect(await readUpTo(messages[2] ?? '')).toBe(1);
  await settled();
  expect(got(phone).slice(4)).toEqual(['badge_sync 1']);
  expect(await readUpTo(messages[2] ?? '')).toBe(1);
  await settled();
  expect(got(phone)).toHaveLength(5);
});

test('the deletion of an unread message is one silent push, that of a read one none', async () => {
  const phone = token();
  const { userId, read, remove } = await patient(phone);
  const [one, two] = [await post(userId), await post(userId)];
  await read(one);
  await settled();
  const before = got(phone).length;
  expect(await remove(one)).toBe(1);
  await settled();
  expect(got(phone)).toHaveLength(before);
  expect(await remove(two)).toBe(0);
  await settled();
  expect(got(phone).slice(before)).toEqual(['badge_sync 0']);
});

test('without a device nothing is queued, and nothing is said of the message', async () => {
  const { userId, read } = await patient();
  await read(await post(userId));
  await settled();
  expect(log.filter((line) => line.startsWith('send-push '))).toEqual([]);
  expect(queued('PushQueueDeadLetters')).toEqual([]);
  expect(log.join('\n')).not.toMatch(new RegExp(`${userId}|Blood results`));
});

test('a disabled endpoint marks its device; the others get theirs, and it gets nothing more', async () => {
  const [one, disabled, three] = [token(), token('fail-disabled'), token()];
  const { userId, devices } = await patient(one, disabled, three);
  for (const count of [1, 2]) {
    await post(userId);
    await settled();
    expect(await devices()).toEqual(['active', 'disabled', 'active']);
    expect([got(one), got(disabled), got(three)].map(({ length }) => length)).toEqual([count, 0, count]);
  }
  expect(queued('PushQueueDeadLetters')).toEqual([]);
});

test('a throttled push is tried again, and published once', async () => {
  const phone = token('fail-throttled');
  const { userId } = await patient(phone);
  const messageId = await post(userId);
  await settled();
  expect(got(phone)).toEqual([`agent_board ${messageId}`]);
  expect(queued('PushQueueDeadLetters')).toEqual([]);
});
