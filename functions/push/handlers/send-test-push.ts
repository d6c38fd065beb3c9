import { testPushMs } from '../../../lib/runtime/limits.ts';
import { writeLine } from '../../../lib/runtime/log.ts';
import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import { lambda } from '../../../lib/runtime/runtime.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { sns } from '../../../lib/runtime/sns.ts';
import { sendTestPush } from '../routes.ts';
import { publishInput } from '../rules/payload.ts';
import { deliveryOf, skipped, targetOf, testNotification } from '../rules/test-push.ts';
import { listDevices } from '../stores/devices.ts';
import { send } from '../stores/publish-notification.ts';

const atATime = 10;

export const handler = serveWithPrefetch(sendTestPush)({
  prefetch: ({ body: { userId } = {}, caller, tables }) => listDevices(tables.Devices, userId ?? caller.userId),
  // A step of its own: nothing is sent for a caller whose account is closed.
  respond: async ({ params, body = {}, bundleId }, devices) => {
    const { messageType } = params;
    const { userId: _whose, dryRun = false, ...wanted } = body;
    const notification = testNotification(messageType, wanted, `test-${crypto.randomUUID()}`);
    const sender = { client: sns(), abortSignal: AbortSignal.timeout(testPushMs) };

    const deliveries = await mapWithConcurrency(devices, atATime, async (device) => {
      const target = targetOf(device);
      if (typeof target === 'string') return skipped(device, target);
      const request = publishInput(target, notification, bundleId);
      if (dryRun) return deliveryOf(device, request, null);
      const published = await send(sender, request);
      if (published.outcome === 'unavailable') {
        const { error } = published;
        writeLine(lambda.write, { level: 'WARN', message: 'a test push was not sent', error }, new Date());
      }
      return deliveryOf(device, request, published);
    });
    return { messageType, deliveries };
  },
});
