import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { sns } from '../../../lib/runtime/sns.ts';
import { unregisterDevice } from '../routes.ts';
import { readDevice } from '../stores/device-rows.ts';
import { unregister } from '../workflows/registration.ts';

export const handler = serveWithPrefetch(unregisterDevice)({
  prefetch: ({ params: { deviceId }, caller: { userId }, tables }) => readDevice(tables, { userId, deviceId }),
  respond: async ({ params: { deviceId }, caller: { userId }, tables }, known) => {
    await unregister({ sns: sns() }, tables, { userId, deviceId, known });
    return { success: true, deviceId, registered: false as const };
  },
});
