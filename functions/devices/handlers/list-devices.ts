import { dynamo } from '../../../lib/runtime/clients.ts';
import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { listDevices } from '../routes.ts';
import { shownHash } from '../rules/device.ts';
import { readDevices } from '../stores/device-rows.ts';

export const handler = servePages(
  listDevices,
  lambdaWithClock,
)(async ({ caller, page, tables }) => {
  const after = page.after ? String(page.after.deviceId) : null;
  const { devices, next } = await readDevices(dynamo(), tables.Devices, caller.userId, { limit: page.limit, after });
  return {
    items: devices.map((device) => ({ ...device, tokenHash: shownHash(device.tokenHash) })),
    next: next === null ? null : { deviceId: next },
  };
});

await initialize(listDevices);
