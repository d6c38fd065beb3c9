import { markUnreachable } from '../../devices/exports.ts';
import type { Devices } from '../../devices/tables.ts';
import type { Push } from '../rules/delivery.ts';
import type { Notification, Target } from '../rules/notification.ts';
import { raiseBadge, readBadge } from '../stores/badges.ts';
import { type Claims, claim, settle } from '../stores/claims.ts';
import type { Published } from '../stores/publish-notification.ts';
import { readTarget } from '../stores/targets.ts';
import type { PushDeliveries } from '../tables.ts';

export type Delivery = {
  /** Table `Devices`. */
  readonly devices: Devices<'get' | 'updateRow'>;
  /** Table `PushDeliveries`. */
  readonly deliveries: PushDeliveries<'get' | 'updateRow'>;
  readonly now: () => Date;
  readonly publish: (target: Target, notification: Notification) => Promise<Published>;
};

/** What the queue has to bring again: the claim is let go, so that the next attempt is free to begin. */
export class RetryableError extends Error {
  /** With the reason, since the log has an error's name and not its message. */
  override readonly name: string;

  constructor(reason: string) {
    super(reason);
    this.name = `RetryableError (${reason})`;
  }
}

type TooSoon = Extract<Published, { outcome: 'throttled' | 'unavailable' }>;

function tooSoon(published: TooSoon): RetryableError {
  return new RetryableError(published.outcome === 'throttled' ? published.outcome : published.error);
}

/**
 * Claims a push, publishes it and marks it. Killed at any point it loses nothing, since the message comes again when it is
 * visible and the lease is over; only between `Publish` and the mark can that publish a second time, under the same
 * `messageId`, which replaces the first on the screen.
 *
 * Nobody waits for another push to the device, so they may be sent in any order. Each one names its number before it is
 * sent and looks afterwards whether a newer one was named, so that the last one to be sent has the newest number.
 *
 * @returns what became of it, for the log
 * @throws a RetryableError, or what the SDK throws, where the message has to come again
 */
export async function deliver(push: Push, delivery: Delivery): Promise<string> {
  const { devices, deliveries: table, now } = delivery;
  const claims: Claims = { table, now };
  const claimed = await claim(claims, push);
  if (claimed === 'busy') throw new RetryableError('another sender is at it');
  if (claimed === 'superseded') return claimed;
  const target = await readTarget(devices, push);
  if (claimed === 'done') {
    // Its sender may have ended between the mark and the correction.
    if (target) await correct(target, push.notification.badge);
    return claimed;
  }
  if (!target) {
    await settle(claims, push, 'undeliverable');
    return 'unreachable';
  }
  const badge = await raiseBadge(claims, push);
  const published = await delivery.publish(target, { ...push.notification, badge });
  switch (published.outcome) {
    case 'sent':
      await settle(claims, push, 'sent');
      await correct(target, badge);
      return 'sent';
    case 'disabled':
      return giveUp();
    case 'rejected':
      if (published.because === 'endpoint') return giveUp();
      // Our defect and no fault of the device: it ends in the dead-letter queue, whose alarm tells.
      await settle(claims, push, 'released');
      throw new RetryableError('SNS takes no such request');
    case 'throttled':
    case 'unavailable':
      await settle(claims, push, 'released');
      throw tooSoon(published);
  }

  /** A push with a newer number may have been sent before: its number is sent after this one, without a message. */
  async function correct(to: Target, shown: number): Promise<void> {
    const newest = (await readBadge(table, push)) ?? shown;
    if (newest === shown) return;
    const corrected = await delivery.publish(to, { type: 'badge_sync', badge: newest });
    if (corrected.outcome === 'sent') return correct(to, newest);
    if (corrected.outcome === 'throttled' || corrected.outcome === 'unavailable') throw tooSoon(corrected);
  }

  /** Nothing is sent there any more until the app has registered a fresh token. */
  async function giveUp(): Promise<string> {
    if (target) await markUnreachable(devices, target);
    await settle(claims, push, 'undeliverable');
    return 'disabled';
  }
}
