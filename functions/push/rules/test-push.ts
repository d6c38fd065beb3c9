import type { Notification, Published, PushDevice, Target } from './notification.ts';
import type { PublishInput } from './payload.ts';

/** The test push's rules: what is sent, and what its answer says of each device. */

type TestPushRequest = {
  readonly badge?: number | undefined;
  readonly title?: string | undefined;
  readonly body?: string | undefined;
};

/** @param messageId made up: there is no such message, and an app that looks for it finds none */
export function testNotification(type: Notification['type'], wanted: TestPushRequest, messageId: string): Notification {
  const { badge = 1, title, body } = wanted;
  return type === 'badge_sync' ? { type, badge } : { type, messageId, badge, title, body };
}

/** Why a device gets no push; otherwise where it goes. */
export function targetOf(device: PushDevice): Target | 'DEVICE_DISABLED' | 'DEVICE_UNCONNECTED' {
  const { status, endpointArn } = device;
  if (status === 'disabled') return 'DEVICE_DISABLED';
  return endpointArn === null ? 'DEVICE_UNCONNECTED' : { ...device, endpointArn };
}

const nothing = { snsMessageId: null, reason: null, request: null };

export function skipped({ deviceId, platform }: PushDevice, reason: 'DEVICE_DISABLED' | 'DEVICE_UNCONNECTED') {
  return { ...nothing, deviceId, platform, status: 'skipped' as const, reason };
}

/** @param published null where nothing was sent on purpose */
export function deliveryOf({ deviceId, platform }: PushDevice, request: PublishInput, published: Published | null) {
  const about = { ...nothing, deviceId, platform, request };
  if (published === null) return { ...about, status: 'preview' as const };
  if (published.outcome === 'sent') return { ...about, status: 'sent' as const, snsMessageId: published.snsMessageId };
  return { ...about, status: 'failed' as const, reason: reasonOf(published) };
}

const reasons = {
  disabled: 'ENDPOINT_DISABLED',
  throttled: 'THROTTLED',
  unavailable: 'UNAVAILABLE',
} as const;

function reasonOf(failed: Exclude<Published, { outcome: 'sent' }>) {
  if (failed.outcome !== 'rejected') return reasons[failed.outcome];
  return failed.because === 'endpoint' ? ('ENDPOINT_REJECTED' as const) : ('REQUEST_REJECTED' as const);
}
