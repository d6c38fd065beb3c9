import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { appleToken, openStage } from './phones.ts';

const stage = await openStage();
afterAll(() => stage.close());

const phones = () => ({
  android: { platform: 'android', token: randomUUID() } as const,
  ipad: { platform: 'ios', token: appleToken(), environment: 'sandbox' } as const,
  iphone: { platform: 'ios', token: appleToken(), locale: 'de-AT' } as const,
});

describe('200', () => {
  test('badge_sync: a silent push to each device, and to nobody else', async () => {
    const user = await stage.withPhones(phones());
    const other = await stage.withPhones(phones());
    const { status, body } = await stage.testPush('badge_sync', { userId: user, badge: 3 });
    expect([status, body.messageType]).toEqual([200, 'badge_sync']);
    expect(body.deliveries).toMatchObject([
      { deviceId: 'android', platform: 'android', status: 'sent', reason: null },
      { deviceId: 'ipad', platform: 'ios', status: 'sent', reason: null },
      { deviceId: 'iphone', platform: 'ios', status: 'sent', reason: null },
    ]);

    const pushes = await stage.pushes(user);
    const byDevice = new Map(pushes.map((push) => [push.deviceId, push]));
    for (const { deviceId, snsMessageId, request } of body.deliveries) {
      const push = byDevice.get(deviceId);
      expect(push).toMatchObject({ messageId: snsMessageId, request, failure: null });
      expect(push.presentation).toEqual({
        kind: 'silent',
        banner: null,
        sound: null,
        badge: null,
        data: { type: 'badge_sync', badge: '3' },
      });
    }
    expect(byDevice.get('ipad').platform).toBe('APNS_SANDBOX');
    expect(byDevice.get('iphone').delivery.headers).toMatchObject({
      'apns-push-type': 'background',
      'apns-priority': '5',
      'apns-topic': 'com.example.sleepcare.dev',
      'apns-collapse-id': 'badge_sync',
    });
    expect(await stage.pushes(other)).toEqual([]);
  });

  test('agent_board: an ordinary push, in the language of each device, to the caller unless another is named', async () => {
    const user = await stage.withPhones(phones());
    const { status, body } = await stage.testPush('agent_board', undefined, { user });
    expect([status, body.deliveries.map((one: { status: string }) => one.status)]).toEqual([
      200,
      Array(3).fill('sent'),
    ]);
    const shown = (await stage.pushes(user)).map(({ deviceId, presentation }) => [deviceId, presentation.banner.title]);
    expect(Object.fromEntries(shown)).toEqual({
      android: 'New message',
      ipad: 'New message',
      iphone: 'Neue Nachricht',
    });
    const [first] = await stage.pushes(user);
    expect(first.presentation).toMatchObject({ kind: 'visible', badge: 1, data: { type: 'agent_board' } });
    expect(first.presentation.data.messageId).toMatch(/^test-/);
  });

  test('title and body stand in for the generic texts', async () => {
    const user = await stage.withPhones(phones());
    const texts = { title: 'Grüße 😀', body: 'a "quoted" line\nand another' };
    await stage.testPush('agent_board', { userId: user, badge: 7, ...texts });
    const pushes = await stage.pushes(user);
    expect(pushes.map(({ presentation }) => presentation.banner)).toEqual(Array(3).fill(texts));
    expect(pushes.map(({ presentation }) => presentation.badge)).toEqual([7, 7, 7]);
  });

  test('dryRun: the exact request of each device, and nothing is published', async () => {
    const user = await stage.withPhones(phones());
    const before = await stage.pushes();
    const preview = await stage.testPush('badge_sync', { userId: user, badge: 3, dryRun: true });
    expect(await stage.pushes()).toHaveLength(before.length);
    expect(preview.body.deliveries).toMatchObject(
      ['android', 'ipad', 'iphone'].map((deviceId) => ({
        deviceId,
        status: 'preview',
        snsMessageId: null,
        reason: null,
      })),
    );
    const sent = await stage.testPush('badge_sync', { userId: user, badge: 3 });
    const requests = (answer: typeof sent) =>
      answer.body.deliveries.map(({ request }: { request: unknown }) => request);
    expect(requests(preview)).toEqual(requests(sent));
  });

  test('a user without devices gets an empty list', async () => {
    const answer = await stage.testPush('agent_board', { userId: randomUUID() });
    expect(answer).toEqual({ status: 200, body: { messageType: 'agent_board', deliveries: [] } });
  });

  test('a disabled and an unconnected device are skipped, the others are not', async () => {
    const user = await stage.withPhones(phones());
    await stage.setDevice(user, 'android', { status: 'disabled' });
    await stage.setDevice(user, 'ipad', { status: 'unconnected', endpointArn: null });
    const { body } = await stage.testPush('agent_board', { userId: user });
    expect(body.deliveries).toMatchObject([
      { deviceId: 'android', status: 'skipped', reason: 'DEVICE_DISABLED', request: null, snsMessageId: null },
      { deviceId: 'ipad', status: 'skipped', reason: 'DEVICE_UNCONNECTED', request: null, snsMessageId: null },
      { deviceId: 'iphone', status: 'sent', reason: null },
    ]);
  });

  test('a device that fails stops no other, and says why', async () => {
    const failing = ['disabled', 'invalid', 'throttled', 'timeout'] as const;
    const faulty = failing.map((fault) => {
      return [fault, { platform: 'android', token: `fail-${fault}-${randomUUID()}` }] as const;
    });
    const user = await stage.withPhones({ ...Object.fromEntries(faulty), well: phones().iphone });
    const { status, body } = await stage.testPush('agent_board', { userId: user });
    expect(status).toBe(200);
    expect(body.deliveries).toMatchObject([
      { deviceId: 'disabled', status: 'failed', reason: 'ENDPOINT_DISABLED', snsMessageId: null },
      { deviceId: 'invalid', status: 'failed', reason: 'ENDPOINT_REJECTED', snsMessageId: null },
      // Refused twice: the SDK's third attempt gets through.
      { deviceId: 'throttled', status: 'sent', reason: null },
      { deviceId: 'timeout', status: 'failed', reason: 'UNAVAILABLE', snsMessageId: null },
      { deviceId: 'well', status: 'sent', reason: null },
    ]);
    expect((await stage.pushes(user)).map(({ deviceId }) => deviceId).sort()).toEqual(['throttled', 'well']);
    expect(JSON.stringify(body)).not.toMatch(/Exception|Invalid parameter|Rate exceeded/);
  });
});

describe('400', () => {
  test('a messageType that there is not', async () => {
    for (const messageType of ['alert', 'AGENT_BOARD', 'badge-sync']) {
      expect(await stage.testPush(messageType)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED', detail: { issues: [{ in: 'path', path: 'messageType' }] } },
      });
    }
  });

  test.each([
    ['a negative badge', { badge: -1 }, 'badge'],
    ['half a badge', { badge: 1.5 }, 'badge'],
    ['a badge as text', { badge: '3' }, 'badge'],
    ['an empty title', { title: '' }, 'title'],
    ['a title that is too long', { title: 'x'.repeat(101) }, 'title'],
    ['a body that is too long', { body: 'x'.repeat(401) }, 'body'],
    ['a user id that is none', { userId: 'a#b' }, 'userId'],
    ['a dryRun that is neither', { dryRun: 'yes' }, 'dryRun'],
  ])('%s', async (_name, body, path) => {
    expect(await stage.testPush('agent_board', body)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', detail: { issues: [{ in: 'body', path }] } },
    });
  });
});

test('401: a caller without a token', async () => {
  const answer = await stage.call('POST', '/dev/push/test/badge_sync', null, {});
  expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
});

test('403: a caller who is not a developer', async () => {
  const answer = await stage.testPush('badge_sync', undefined, { roles: 'patient' });
  expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
});

test('the local list is of everybody, oldest first, each push with whose phone it went to', async () => {
  const user = await stage.withPhones({ iphone: phones().iphone });
  for (const badge of [1, 2, 3]) await stage.testPush('badge_sync', { userId: user, badge });
  const own = (await stage.pushes()).filter(({ userId }) => userId === user);
  expect(own.map(({ presentation }) => presentation.data.badge)).toEqual(['1', '2', '3']);
  expect(own.map(({ deviceId }) => deviceId)).toEqual(Array(3).fill('iphone'));
});
