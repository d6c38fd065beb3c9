import { describe, expect, test } from 'vitest';
import type { Fault } from '../../lib/local/service/faults.ts';
import { eventually } from '../eventually.ts';
import { iosToken, ownStage } from './stage.ts';

const { user, owners, endpoint, endpointsOf, setEndpoint, deleteApplication, calls, faults, log } = ownStage({
  patience: 1,
});

const actions = ['CreatePlatformEndpoint', 'GetEndpointAttributes', 'SetEndpointAttributes'] as const;
const kinds = ['throttle', 'error'] as const satisfies readonly Fault[];

describe('503', () => {
  test.each(actions.flatMap((action) => kinds.map((kind) => [action, kind] as const)))(
    'where %s meets %s nothing is registered, and the next attempt does it all',
    async (action, kind) => {
      const me = await user();
      const token = iosToken();
      // Setting is what an endpoint that was disabled needs.
      if (action === 'SetEndpointAttributes') {
        await me.put('phone-1', { token });
        await setEndpoint((await me.row('phone-1'))?.endpointArn ?? '', { Enabled: 'false' });
        // SNS reports it, and the device is marked.
        await eventually(async () => expect((await me.row('phone-1'))?.status).toBe('disabled'));
      }
      const before = [await me.list(), await owners()];
      faults.of = (call) => (call.action === action ? kind : undefined);
      const attempt = () => me.put('phone-1', { token });
      const failed = await attempt();
      expect(failed).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE', detail: null } });
      expect(failed.headers.get('retry-after')).toBe('5');
      expect([await me.list(), await owners()]).toEqual(before);
      delete faults.of;
      expect(await attempt()).toMatchObject({ status: 200, body: { status: 'active' } });
      expect(await endpointsOf(token)).toEqual([(await me.row('phone-1'))?.endpointArn]);
    },
  );

  test('where SNS hangs', async () => {
    const me = await user();
    faults.of = () => 'hang';
    expect(await me.put('phone-1')).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    expect(await me.list()).toEqual([]);
  });

  test('where an endpoint cannot be deleted the device stays, and the next attempt ends it', async () => {
    const me = await user();
    await me.put('phone-1');
    faults.of = () => 'error';
    expect(await me.delete('phone-1')).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    expect(await me.list()).toHaveLength(1);
    delete faults.of;
    expect((await me.delete('phone-1')).status).toBe(200);
    expect(await me.list()).toEqual([]);
  });
});

describe('200', () => {
  test.each(['throttle', 'error', 'lose-response'] as const)('one call that meets %s is tried again', async (kind) => {
    const me = await user();
    const token = iosToken();
    faults.of = () => (calls.length === 1 ? kind : undefined);
    expect((await me.put('phone-1', { token })).status).toBe(200);
    expect(await endpointsOf(token)).toHaveLength(1);
  });

  test('an old endpoint that cannot be deleted fails no registration, and is counted', async () => {
    const me = await user();
    const token = iosToken();
    await me.put('phone-1', { token });
    faults.of = ({ action }) => (action === 'DeleteEndpoint' ? 'error' : undefined);
    log.length = 0;
    expect((await me.put('phone-1', { token, environment: 'sandbox' })).status).toBe(200);
    const line = log.find((each) => each.includes('PUT /users/me/devices')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ endpointLeftBehind: 1, platformApplicationMissing: 0 });
  });
});

test('a platform application that is named but not there: registered as unconnected, and counted', async () => {
  const me = await user();
  await deleteApplication('GCM');
  log.length = 0;
  expect((await me.put('phone-1', { platform: 'android' })).body).toMatchObject({ status: 'unconnected' });
  const line = log.find((each) => each.includes('PUT /users/me/devices')) ?? '{}';
  expect(JSON.parse(line)).toMatchObject({ endpointLeftBehind: 0, platformApplicationMissing: 1 });
});

describe('races', () => {
  test('the same registration many times at once is one device with one endpoint', async () => {
    const me = await user();
    const token = iosToken();
    const answers = await Promise.all(Array.from({ length: 8 }, () => me.put('phone-1', { token })));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await me.list()).toHaveLength(1);
    expect(await endpointsOf(token)).toEqual([(await me.row('phone-1'))?.endpointArn]);
  });

  test('users who claim one token at once: one of them has it', async () => {
    const token = iosToken();
    const all = await Promise.all([user(), user(), user()]);
    const answers = await Promise.all(all.map((each) => each.put('phone-1', { token })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const lists = await Promise.all(all.map((each) => each.list()));
    expect(lists.flat()).toHaveLength(1);
    const [arn = ''] = await endpointsOf(token);
    expect(await endpoint(arn)).toMatchObject({ Enabled: 'true', Token: token });
  });

  test('two devices that swap their tokens at once never share an endpoint', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [await user(), await user()];
      const [a, b] = [iosToken(), iosToken()];
      await Promise.all([one.put('phone-1', { token: a }), other.put('phone-2', { token: b })]);
      const answers = await Promise.all([one.put('phone-1', { token: b }), other.put('phone-2', { token: a })]);
      for (const { status } of answers) expect([200, 503]).toContain(status);
      const rows = [await one.row('phone-1'), await other.row('phone-2')].filter((row) => row !== undefined);
      expect(new Set(rows.map(({ endpointArn }) => endpointArn)).size).toBe(rows.length);
      const held = await owners();
      for (const { userId, deviceId, tokenHash, endpointArn } of rows) {
        expect(held.get(`token#${tokenHash}`)).toBe(`${userId} ${deviceId}`);
        expect(held.get(`endpoint#${endpointArn}`)).toBe(`${userId} ${deviceId}`);
      }
    }
  });

  test('registering and unregistering at once ends in either, whole', async () => {
    for (let round = 0; round < 5; round += 1) {
      const me = await user();
      const token = iosToken();
      await me.put('phone-1', { token });
      const [put, ended] = await Promise.all([me.put('phone-1', { token }), me.delete('phone-1')]);
      expect([put.status, ended.status]).toEqual([200, 200]);
      const isThere = (await me.list()).length === 1;
      const keys = [...(await owners()).values()].filter((owner) => owner === `${me.userId} phone-1`);
      expect(keys).toHaveLength(isThere ? 2 : 0);
      // Whatever the race left, the app's next start makes it whole.
      expect((await me.put('phone-1', { token })).body.status).toBe('active');
      expect(await endpointsOf(token)).toEqual([(await me.row('phone-1'))?.endpointArn]);
    }
  });
});
