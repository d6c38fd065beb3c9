import { describe, expect, test } from 'vitest';
import { hashOfToken } from '../../functions/devices/rules/device.ts';
import { iosToken, ownStage, phone } from './stage.ts';

const { user, owners, endpoint, setEndpoint, deleteEndpoint, endpointsOf, calls, log } = ownStage();

const tokenKey = (token: string) => `token#${hashOfToken({ platform: 'ios', token })}`;
const endpointKey = (arn = '') => `endpoint#${arn}`;

describe('200', () => {
  test('a first registration: the device, without its token and endpoint', async () => {
    const me = await user();
    const token = iosToken();
    const { status, body } = await me.put('phone-1', { token, locale: 'de_DE' });
    expect(status).toBe(200);
    expect(body).toEqual({
      deviceId: 'phone-1',
      platform: 'ios',
      environment: 'production',
      appVersion: '2.1.0',
      locale: 'de-DE',
      status: 'active',
      tokenHash: hashOfToken({ platform: 'ios', token }).slice(0, 12),
      registeredAt: body.renewedAt,
      renewedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      replacedDeviceIds: [],
    });
    const { replacedDeviceIds: _none, ...listed } = body;
    expect(await me.list()).toEqual([listed]);
    const row = await me.row('phone-1');
    expect(row?.endpointArn).toContain(':endpoint/APNS/mobile-health-dev-ios/');
    expect(await endpoint(row?.endpointArn ?? '')).toEqual({ Enabled: 'true', Token: token });
    expect(JSON.stringify(row)).not.toContain(token);
  });

  test.each([
    [{ platform: 'ios', environment: 'sandbox' }, 'APNS_SANDBOX/mobile-health-dev-ios'],
    [{ platform: 'android', environment: 'production' }, 'GCM/mobile-health-dev-android'],
    [{ platform: 'android', environment: 'sandbox' }, 'GCM/mobile-health-dev-android'],
  ])('%j is an endpoint of %s', async (more, path) => {
    const me = await user();
    expect((await me.put('phone-1', more)).body).toMatchObject({ ...more, status: 'active' });
    expect((await me.row('phone-1'))?.endpointArn).toContain(`:endpoint/${path}/`);
  });

  test('a renewal asks SNS once, keeps the endpoint and registeredAt, and changes the rest', async () => {
    const me = await user();
    const token = iosToken();
    const { body: first } = await me.put('phone-1', { token });
    const before = await me.row('phone-1');
    calls.length = 0;
    const { body: second } = await me.put('phone-1', { token, appVersion: '2.2.0' });
    expect(calls).toEqual(['GetEndpointAttributes']);
    expect(second).toEqual({ ...first, appVersion: '2.2.0', renewedAt: second.renewedAt });
    expect(second.renewedAt > first.renewedAt).toBe(true);
    expect((await me.row('phone-1'))?.endpointArn).toBe(before?.endpointArn);
  });

  test('a device beyond the twentieth replaces the one that was renewed longest ago, and says so', async () => {
    const [me, other] = [await user(), await user()];
    for (let number = 1; number <= 20; number += 1) {
      expect((await me.put(`phone-${number}`)).body.replacedDeviceIds).toEqual([]);
    }
    await me.put('phone-1');
    const gone = await me.row('phone-2');
    expect((await me.put('phone-21')).body.replacedDeviceIds).toEqual(['phone-2']);
    expect(await me.list()).toHaveLength(20);
    expect(await me.row('phone-2')).toBeUndefined();
    await expect(endpoint(gone?.endpointArn ?? '')).rejects.toThrow();
    // A token that moves takes its device's place.
    const token = iosToken();
    await me.put('phone-3', { token });
    expect((await me.put('phone-22', { token })).body.replacedDeviceIds).toEqual([]);
    expect((await other.put('phone-1')).body.replacedDeviceIds).toEqual([]);
    expect(await me.list()).toHaveLength(20);
  });

  test('six new devices at once beside nineteen leave twenty, and no moment has more', async () => {
    const me = await user();
    for (let number = 1; number <= 19; number += 1) await me.put(`phone-${number}`);
    const names = Array.from({ length: 6 }, (_, index) => `phone-at-once-${index}`);
    const answers = await Promise.all(names.map((name) => me.put(name)));
    expect([...new Set(answers.map(({ status }) => status))].filter((status) => status !== 503)).toEqual([200]);
    expect(await me.list()).toHaveLength(20);
    for (const name of names) expect((await me.put(name)).status).toBe(200);
    expect(await me.list()).toHaveLength(20);
  });

  test('two users on one phone: the token is the one’s who registered last', async () => {
    const [one, other] = [await user(), await user()];
    const token = iosToken();
    await one.put('phone-1', { token });
    const { endpointArn } = (await one.row('phone-1')) ?? {};
    expect((await other.put('phone-1', { token })).status).toBe(200);
    expect(await one.list()).toEqual([]);
    expect(await other.list()).toHaveLength(1);
    expect((await other.row('phone-1'))?.endpointArn).toBe(endpointArn);
    for (const key of [tokenKey(token), endpointKey(endpointArn)]) {
      expect((await owners()).get(key)).toBe(`${other.userId} phone-1`);
    }
    // Signing out late takes nothing from who came after.
    expect((await one.delete('phone-1')).status).toBe(200);
    expect(await endpoint(endpointArn ?? '')).toMatchObject({ Enabled: 'true' });
    expect((await one.put('phone-1', { token })).status).toBe(200);
    expect([(await one.list()).length, (await other.list()).length]).toEqual([1, 0]);
  });

  test('the same token under another deviceId of the user moves there', async () => {
    const me = await user();
    const token = iosToken();
    await me.put('before', { token });
    await me.put('after', { token });
    expect((await me.list()).map(({ deviceId }: { deviceId: string }) => deviceId)).toEqual(['after']);
    expect(await endpointsOf(token)).toHaveLength(1);
  });

  test('one user on three phones', async () => {
    const me = await user();
    await Promise.all(['a', 'b', 'c'].map((deviceId) => me.put(deviceId)));
    expect((await me.list()).map(({ deviceId }: { deviceId: string }) => deviceId)).toEqual(['a', 'b', 'c']);
    const rows = await Promise.all(['a', 'b', 'c'].map(me.row));
    expect(new Set(rows.map((row) => row?.endpointArn)).size).toBe(3);
  });

  test('a token that changed: it gets an endpoint, and the old one is never changed and goes', async () => {
    const me = await user();
    const [old, fresh] = [iosToken(), iosToken()];
    await me.put('phone-1', { token: old });
    const before = await me.row('phone-1');
    calls.length = 0;
    expect((await me.put('phone-1', { token: fresh })).body.status).toBe('active');
    expect(calls).toEqual(['CreatePlatformEndpoint', 'GetEndpointAttributes', 'DeleteEndpoint']);
    const after = await me.row('phone-1');
    expect(after?.endpointArn).not.toBe(before?.endpointArn);
    expect(await endpointsOf(old, fresh)).toEqual([after?.endpointArn]);
    expect(await endpoint(after?.endpointArn ?? '')).toEqual({ Enabled: 'true', Token: fresh });
    for (const key of [tokenKey(old), endpointKey(before?.endpointArn)]) expect((await owners()).has(key)).toBe(false);
    expect((await owners()).get(tokenKey(fresh))).toBe(`${me.userId} phone-1`);
  });

  test('a token that changed to one that another user’s device had: one endpoint is left', async () => {
    const [one, other] = [await user(), await user()];
    const [mine, theirs] = [iosToken(), iosToken()];
    await one.put('phone-1', { token: mine });
    await other.put('phone-2', { token: theirs });
    const taken = (await other.row('phone-2'))?.endpointArn;
    expect((await one.put('phone-1', { token: theirs })).status).toBe(200);
    expect((await one.row('phone-1'))?.endpointArn).toBe(taken);
    expect(await other.list()).toEqual([]);
    expect(await endpointsOf(mine, theirs)).toEqual([taken]);
    expect((await owners()).has(tokenKey(mine))).toBe(false);
  });

  test('another environment is another platform application’s endpoint, and the old one goes', async () => {
    const me = await user();
    const token = iosToken();
    await me.put('phone-1', { token });
    await me.put('phone-1', { token, environment: 'sandbox' });
    const row = await me.row('phone-1');
    expect(row?.endpointArn).toContain(':endpoint/APNS_SANDBOX/');
    expect(await endpointsOf(token)).toEqual([row?.endpointArn]);
  });

  test('an endpoint that SNS disabled is enabled again by a registration', async () => {
    const me = await user();
    const token = iosToken();
    await me.put('phone-1', { token });
    const arn = (await me.row('phone-1'))?.endpointArn ?? '';
    await setEndpoint(arn, { Enabled: 'false' });
    expect((await me.put('phone-1', { token })).body.status).toBe('active');
    expect(await endpoint(arn)).toEqual({ Enabled: 'true', Token: token });
  });

  test('an endpoint that SNS disabled and whose device is gone is enabled, too', async () => {
    const [me, next] = [await user(), await user()];
    const token = iosToken();
    await me.put('phone-1', { token });
    const arn = (await me.row('phone-1'))?.endpointArn ?? '';
    await me.delete('phone-1');
    await next.put('phone-1', { token });
    await setEndpoint(arn, { Enabled: 'false', CustomUserData: 'somebody else wrote this' });
    const third = await user();
    expect((await third.put('phone-1', { token })).status).toBe(200);
    expect(await endpoint(arn)).toMatchObject({ Enabled: 'true' });
  });

  test('an endpoint that exists with other attributes is found by its ARN', async () => {
    const [me, next] = [await user(), await user()];
    const [token, fresh] = [iosToken(), iosToken()];
    await me.put('phone-1', { token });
    const arn = (await me.row('phone-1'))?.endpointArn ?? '';
    // SNS itself gave the endpoint another token, which the tables do not know.
    await setEndpoint(arn, { Token: fresh, Enabled: 'false', CustomUserData: 'x' });
    calls.length = 0;
    expect((await next.put('phone-2', { token: fresh })).status).toBe(200);
    expect(calls[0]).toBe('CreatePlatformEndpoint');
    expect((await next.row('phone-2'))?.endpointArn).toBe(arn);
    expect(await endpoint(arn)).toMatchObject({ Enabled: 'true', Token: fresh });
    // Two devices never share an endpoint: what is sent to one user would be shown to the other.
    expect(await me.list()).toEqual([]);
    expect((await owners()).has(tokenKey(token))).toBe(false);
  });

  test('an endpoint that SNS gave another token is left, and the token gets another one', async () => {
    const me = await user();
    const [token, fresh] = [iosToken(), iosToken()];
    await me.put('phone-1', { token });
    const arn = (await me.row('phone-1'))?.endpointArn ?? '';
    await setEndpoint(arn, { Token: fresh });
    expect((await me.put('phone-1', { token })).body.status).toBe('active');
    const row = await me.row('phone-1');
    expect(row?.endpointArn).not.toBe(arn);
    expect(await endpoint(row?.endpointArn ?? '')).toEqual({ Enabled: 'true', Token: token });
    expect((await owners()).has(endpointKey(arn))).toBe(false);
  });

  test('an endpoint that was deleted behind our back is made anew', async () => {
    const me = await user();
    const token = iosToken();
    await me.put('phone-1', { token });
    await deleteEndpoint((await me.row('phone-1'))?.endpointArn ?? '');
    calls.length = 0;
    expect((await me.put('phone-1', { token })).body.status).toBe('active');
    expect(calls).toEqual(['GetEndpointAttributes', 'CreatePlatformEndpoint', 'GetEndpointAttributes']);
    expect(await endpoint((await me.row('phone-1'))?.endpointArn ?? '')).toMatchObject({ Token: token });
  });

  test('unregistering ends the endpoint, the device and its keys, and once more is the same success', async () => {
    const me = await user();
    const token = iosToken();
    await me.put('phone-1', { token });
    const arn = (await me.row('phone-1'))?.endpointArn ?? '';
    for (const _ of [1, 2]) {
      const { status, body } = await me.delete('phone-1');
      expect([status, body]).toEqual([200, { success: true, deviceId: 'phone-1', registered: false }]);
    }
    expect(await me.list()).toEqual([]);
    expect(await endpointsOf(token)).toEqual([]);
    expect((await owners()).has(tokenKey(token)) || (await owners()).has(endpointKey(arn))).toBe(false);
  });

  test('a device is nobody else’s to see or unregister, also under the same deviceId', async () => {
    const [me, stranger] = [await user(), await user()];
    await me.put('phone-1');
    expect(await stranger.list()).toEqual([]);
    expect((await stranger.delete('phone-1')).status).toBe(200);
    await stranger.put('phone-1');
    expect(await me.list()).toHaveLength(1);
    expect(await stranger.list()).toHaveLength(1);
  });
});

test('no token and no endpoint is in a log', async () => {
  const me = await user();
  const { token } = phone();
  await me.put('phone-1', { token });
  await me.put('phone-1', { token: `${token}!` });
  await me.delete('phone-1');
  expect(log.filter((line) => line.includes('/users/me/devices'))).not.toHaveLength(0);
  expect(log.join('\n')).not.toContain(token);
  expect(log.join('\n')).not.toContain(':endpoint/');
});
