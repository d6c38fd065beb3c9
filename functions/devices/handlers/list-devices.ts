import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePagesInSteps } from '../../../lib/runtime/serve-pages.ts';
import { listDevices } from '../routes.ts';
import { shownHash } from '../rules/device.ts';
import { readDevices } from '../stores/device-rows.ts';

export const handler = servePagesInSteps(
  listDevices,
  lambdaWithClock,
)({
  read: ({ caller, page: { limit, after }, tables }) =>
    readDevices(tables.Devices, caller.userId, { limit, after: after ? String(after.deviceId) : null }),
  answer: async (_asked, { devices, next }) => ({
    items: devices.map((device) => ({ ...device, tokenHash: shownHash(device.tokenHash) })),
    next: next === null ? null : { deviceId: next },
  }),
});
