import { expect, test, vi } from 'vitest';
import { reachableDevices } from '../../functions/push/stores/targets.ts';
import { putRow } from '../../lib/runtime/rows.ts';
import { localTables } from '../local-tables.ts';

const { client, tables } = await localTables(['Devices']);

test('of a user with rows without end a few are read, so that the pushes of others in the batch are not held up', async () => {
  const device = { platform: 'ios', environment: 'production', locale: 'de', status: 'active', renewedAt: '2026' };
  const own = { ...device, userId: 'u', endpointArn: 'arn' };
  await putRow(tables.Devices, { ...own, deviceId: '!own' });
  for (let at = 0; at < 120; at += 1) {
    await putRow(tables.Devices, { ...own, deviceId: `x${at}`, locale: 'x'.repeat(300_000) });
  }
  const sent = vi.spyOn(client, 'send');
  expect(await reachableDevices(tables.Devices, 'u')).toEqual(['!own']);
  // Three rows are a megabyte, which is a page.
  expect(sent.mock.calls.length).toBeLessThanOrEqual(21);
});
