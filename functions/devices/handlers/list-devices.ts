import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { listDevices } from '../routes.ts';
import { shownHash } from '../rules/device.ts';
import { readDevices } from '../stores/device-rows.ts';

export const handler = serveWithPrefetch(listDevices)({
  prefetch: ({ caller, page, tables }) => readDevices(tables.Devices, caller.userId, page),
  respond: async (_asked, { devices, next }) => ({
    items: devices.map((device) => ({ ...device, tokenHash: shownHash(device.tokenHash) })),
    next,
  }),
});
