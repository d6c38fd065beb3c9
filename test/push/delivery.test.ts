import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { pushStage, token } from './delivery-stage.ts';

/** The whole way, from the app's call to what its phones get. */

const { patient, post, got, queued, log } = pushStage();

/** Long enough for the stream's window and both functions' cold starts. */
const soon = { timeout: 15_000, interval: 50 };
/** Longer than a push takes once the functions are warm. */
const quietly = () => sleep(2500);

test('a new message is an ordinary push on each device of its user, and on none elsewhere', async () => {
  const [one, two, elsewhere] = [token(), token(), token()];
  const { userId } = await patient(one, two);
  await patient(elsewhere);
  const messageId = await post(userId);
  await vi.waitFor(() => {
    expect(got(one)).toEqual([`agent_board ${messageId}`]);
    expect(got(two)).toEqual([`agent_board ${messageId}`]);
  }, soon);
  expect(got(elsewhere)).toEqual([]);
  await vi.waitFor(() => expect(queued('PushQueue')).toEqual([]), soon);
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
  await vi.waitFor(() => expect(got(phone)).toHaveLength(2), soon);
  expect(await read(first)).toBe(1);
  await vi.waitFor(() => expect(got(phone).slice(2)).toEqual(['badge_sync 1']), soon);
  expect(await read(first)).toBe(1);
  await quietly();
  expect(got(phone)).toHaveLength(3);
});

test('readings that follow each other come to the last count', async () => {
  const phone = token();
  const { userId, read } = await patient(phone);
  const messages: string[] = [];
  for (let i = 0; i < 5; i += 1) messages.push(await post(userId));
  await vi.waitFor(() => expect(got(phone)).toHaveLength(5), soon);
  for (const message of messages) await read(message);
  await vi.waitFor(() => expect(got(phone).at(-1)).toBe('badge_sync 0'), soon);
  await quietly();
  // Two batches at most share them, be the machine ever so slow.
  expect(got(phone).length).toBeLessThanOrEqual(5 + 2);
  expect(got(phone).at(-1)).toBe('badge_sync 0');
});

test('without a device nothing is queued, and nothing is said of the message', async () => {
  const { userId, read } = await patient();
  await read(await post(userId));
  await quietly();
  await vi.waitFor(() => expect(queued('PushQueue')).toEqual([]), soon);
  expect(queued('PushQueueDeadLetters')).toEqual([]);
  expect(log.join('\n')).not.toMatch(new RegExp(`${userId}|Blood results`));
});

test('a disabled endpoint marks its device; the others get theirs, and it gets nothing more', async () => {
  const [one, disabled, three] = [token(), token('fail-disabled'), token()];
  const { userId, devices } = await patient(one, disabled, three);
  await post(userId);
  await vi.waitFor(async () => expect(await devices()).toEqual(['active', 'disabled', 'active']), soon);
  await vi.waitFor(() => expect([got(one), got(three)].map(({ length }) => length)).toEqual([1, 1]), soon);
  await post(userId);
  await vi.waitFor(() => expect([got(one), got(three)].map(({ length }) => length)).toEqual([2, 2]), soon);
  await vi.waitFor(() => expect(queued('PushQueue')).toEqual([]), soon);
  expect(queued('PushQueueDeadLetters')).toEqual([]);
});

test('a throttled push is tried again, and published once', async () => {
  const phone = token('fail-throttled');
  const { userId } = await patient(phone);
  const messageId = await post(userId);
  await vi.waitFor(() => expect(got(phone)).toEqual([`agent_board ${messageId}`]), soon);
  expect(queued('PushQueueDeadLetters')).toEqual([]);
});
