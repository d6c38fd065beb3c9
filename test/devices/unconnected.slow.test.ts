import { expect, test } from 'vitest';
import { hashOfToken } from '../../functions/devices/rules/device.ts';
import { iosToken, ownStage } from './stage.ts';

/** An environment whose settings name no platform application. */
const { user, owners, calls } = ownStage({ environment: 'staging' });

test('a device registers, and says that push is not connected', async () => {
  const [me, next] = [await user(), await user()];
  const token = iosToken();
  expect(await me.put('phone-1', { token })).toMatchObject({ status: 200, body: { status: 'unconnected' } });
  expect(await me.row('phone-1')).toMatchObject({ endpointArn: null });
  expect((await next.put('phone-1', { token })).status).toBe(200);
  expect(await me.list()).toEqual([]);
  expect((await owners()).get(`token#${hashOfToken({ platform: 'ios', token })}`)).toBe(`${next.userId} phone-1`);
  expect((await next.delete('phone-1')).status).toBe(200);
  expect([...(await owners())]).toEqual([]);
  expect(calls).toEqual([]);
});
