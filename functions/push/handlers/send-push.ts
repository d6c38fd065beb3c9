import { consumeQueue } from '../../../lib/runtime/consume.ts';
import { bundleIdOf } from '../../../lib/runtime/environment.ts';
import { publishMs } from '../../../lib/runtime/limits.ts';
import { sns } from '../../../lib/runtime/sns.ts';
import { sendPush } from '../consumers.ts';
import { pushMetrics } from '../metrics.ts';
import type { Push } from '../rules/delivery.ts';
import { publish } from '../stores/publish-notification.ts';
import { deliver } from '../workflows/deliver-push.ts';

export const handler = consumeQueue(sendPush)(async ({ body }, { tables, where, now, log }) => {
  const push = JSON.parse(body) as Push;
  const outcome = await deliver(push, {
    devices: tables.Devices,
    deliveries: tables.PushDeliveries,
    now,
    publish: (target, notification) => {
      const abortSignal = AbortSignal.timeout(publishMs);
      return publish({ client: sns(), bundleId: bundleIdOf(where), abortSignal }, target, notification);
    },
  });
  const counted = outcome === 'sent' ? pushMetrics.sent : pushMetrics.skipped;
  log({ level: 'INFO', message: 'push', type: push.notification.type, outcome }, { [counted]: 1 });
});
