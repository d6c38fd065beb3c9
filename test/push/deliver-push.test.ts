import { randomUUID } from 'node:crypto';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Push } from '../../functions/push/rules/delivery.ts';
import type { Notification } from '../../functions/push/rules/notification.ts';
import type { Published } from '../../functions/push/stores/publish-notification.ts';
import { deliver, RetryableError } from '../../functions/push/workflows/deliver-push.ts';
import type { Fault } from '../../lib/local/dynamodb/front.ts';
import { localTables } from '../local-tables.ts';

/** One delivery at a time, against real tables, SNS a function of the test's. */

let fault: ((action: string) => Fault | undefined) | undefined;
let published: Notification[];
let outcome: Published;
let now: number;

const intercept = ({ action }: { readonly action: string }) => fault?.(action);
const { client, tables } = await localTables(['Devices', 'PushDeliveries'], {}, { intercept });
const { Devices: devices, PushDeliveries: deliveries } = tables;
beforeEach(() => {
  fault = undefined;
  published = [];
  outcome = { outcome: 'sent', snsMessageId: 'm-1' };
  now = Date.parse('2026-11-21T12:00:00Z');
});

/** @param before is called when SNS has the notification, and has not answered */
const run = (push: Push, before: (notification: Notification) => unknown = () => {}) =>
  deliver(push, {
    devices,
    deliveries,
    now: () => new Date(now),
    publish: async (_target, notification) => {
      await before(notification);
      published.push(notification);
      return outcome;
    },
  });

async function phone(): Promise<{ userId: string; deviceId: string }> {
  const owner = { userId: randomUUID(), deviceId: 'phone' };
  const more = { status: 'active', endpointArn: 'arn:e', platform: 'ios', environment: 'production', revision: 'r-1' };
  await client.send(new PutCommand({ TableName: 'Devices', Item: { ...owner, ...more } }));
  return owner;
}

const message = { type: 'agent_board', messageId: 'm', badge: 1 } as const;
const ordinary = async (): Promise<Push> => ({ ...(await phone()), event: 'm', order: 1, notification: message });
const badge = (of: Push, order: number, count: number): Push => ({
  ...of,
  event: 'badge_sync',
  order,
  notification: { type: 'badge_sync', badge: count },
});

async function statusOf({ userId, deviceId }: Push): Promise<string> {
  const read = new GetCommand({ TableName: 'Devices', Key: { userId, deviceId } });
  return String((await client.send(read)).Item?.status);
}

test('a redelivered push is published once', async () => {
  const push = await ordinary();
  expect([await run(push), await run(push), await run(push)]).toEqual(['sent', 'done', 'done']);
  expect(published).toHaveLength(1);
});

test('of two senders with the same push one publishes, and the other waits', async () => {
  const push = await ordinary();
  const both = await Promise.allSettled([run(push), run(push)]);
  const waited = both.filter(({ status }) => status === 'rejected').length;
  expect(published).toHaveLength(1);
  expect(waited).toBeLessThanOrEqual(1);
  expect(await run(push)).toBe('done');
});

test.each(['throttled', 'unavailable'] as const)(
  '%s: left for a retry, which is free to begin at once',
  async (name) => {
    const push = await ordinary();
    outcome = name === 'throttled' ? { outcome: name } : { outcome: name, error: 'TimeoutError' };
    await expect(run(push)).rejects.toThrow(RetryableError);
    outcome = { outcome: 'sent', snsMessageId: 'm-2' };
    expect(await run(push)).toBe('sent');
  },
);

test('a disabled endpoint marks the device, and the push is done with', async () => {
  const push = await ordinary();
  outcome = { outcome: 'disabled' };
  expect(await run(push)).toBe('disabled');
  expect(await statusOf(push)).toBe('disabled');
  expect(await run({ ...push, event: 'another' })).toBe('unreachable');
  expect(published).toHaveLength(1);
});

test('a request that SNS never takes is our defect: the device stays, the message goes on to the dead letters', async () => {
  const push = await ordinary();
  outcome = { outcome: 'rejected', because: 'request' };
  await expect(run(push)).rejects.toThrow(RetryableError);
  expect(await statusOf(push)).toBe('active');
});

test('a newer count makes an older one out of date, whether it was sent or not', async () => {
  const push = await ordinary();
  expect(await run(badge(push, 7, 2))).toBe('sent');
  expect(await run(badge(push, 6, 3))).toBe('superseded');
  outcome = { outcome: 'throttled' };
  await expect(run(badge(push, 9, 0))).rejects.toThrow(RetryableError);
  outcome = { outcome: 'sent', snsMessageId: 'm-3' };
  expect(await run(badge(push, 8, 1))).toBe('superseded');
  expect(await run(badge(push, 9, 0))).toBe('sent');
});

test('a newer count waits for the older one that is on its way, and so arrives after it', async () => {
  const push = await ordinary();
  const older = deliver(badge(push, 1, 5), {
    devices,
    deliveries,
    now: () => new Date(now),
    publish: async () => {
      await expect(run(badge(push, 2, 4))).rejects.toThrow(RetryableError);
      return { outcome: 'sent', snsMessageId: 'm' };
    },
  });
  expect(await older).toBe('sent');
  expect(await run(badge(push, 2, 4))).toBe('sent');
  expect(published).toEqual([{ type: 'badge_sync', badge: 4 }]);
});

describe('the number on the icon', () => {
  /** Sends a message, and a newer count while SNS takes it. */
  const overtaken = (push: Push, onCount: () => void = () => {}) =>
    run(push, ({ type }) => (type === 'agent_board' ? run(badge(push, 2, 0)) : onCount()));

  test('a message that comes after a newer count is sent with that count', async () => {
    const push = await ordinary();
    expect(await run(badge(push, 2, 0))).toBe('sent');
    expect(await run(push)).toBe('sent');
    expect(published).toEqual([
      { type: 'badge_sync', badge: 0 },
      { ...message, badge: 0 },
    ]);
  });

  test('a count that comes after a newer message is sent with its number', async () => {
    const push = await ordinary();
    expect(await run({ ...push, order: 2 })).toBe('sent');
    expect(await run(badge(push, 1, 7))).toBe('sent');
    expect(published).toEqual([message, { type: 'badge_sync', badge: 1 }]);
  });

  test('a count that is sent while a message is on its way is sent once more, after it', async () => {
    const push = await ordinary();
    expect(await overtaken(push)).toBe('sent');
    expect(published).toEqual([{ type: 'badge_sync', badge: 0 }, message, { type: 'badge_sync', badge: 0 }]);
  });

  test('where that fails the count comes again, and the message does not', async () => {
    const push = await ordinary();
    const fails = () => {
      outcome = { outcome: 'throttled' };
    };
    await expect(overtaken(push, fails)).rejects.toThrow(RetryableError);
    outcome = { outcome: 'sent', snsMessageId: 'm-2' };
    published = [];
    expect(await run(push)).toBe('done');
    expect(published).toEqual([{ type: 'badge_sync', badge: 0 }]);
  });

  test('each device has its own', async () => {
    const push = await ordinary();
    await run(badge(push, 2, 0));
    await run({ ...(await phone()), event: 'm', order: 1, notification: message });
    expect(published.at(-1)).toEqual(message);
  });
});

test.each([
  ['number', 2],
  ['mark', 3],
])('a %s whose answer is lost is one', async (_name, lost) => {
  const push = await ordinary();
  let updates = 0;
  fault = (action) => {
    if (action === 'UpdateItem') updates += 1;
    return action === 'UpdateItem' && updates === lost ? 'lose-response' : undefined;
  };
  expect(await run(push)).toBe('sent');
  expect(await run(push)).toBe('done');
  expect(published).toEqual([message]);
});

test('a claim whose answer is lost is known again', async () => {
  const push = await ordinary();
  let updates = 0;
  fault = (action) => {
    if (action === 'UpdateItem') updates += 1;
    return action === 'UpdateItem' && updates === 1 ? 'lose-response' : undefined;
  };
  expect(await run(push)).toBe('sent');
  expect(await run(push)).toBe('done');
  expect(published).toHaveLength(1);
});

test('a device that is gone gets nothing', async () => {
  const push = await ordinary();
  expect(await run({ ...push, deviceId: 'another' })).toBe('unreachable');
  expect(published).toEqual([]);
});
