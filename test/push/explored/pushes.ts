import type { End, Row } from '../../../lib/explore/scenario.ts';

/** What reached the phones, as the scenarios read it. */

type Shown = {
  readonly token: string;
  readonly endpoint: string;
  /** Null for a badge alone. */
  readonly messageId: string | null;
  readonly badge: number;
};

/** In the order in which SNS took them. */
export function pushesIn({ outside }: Pick<End, 'outside'>): Shown[] {
  return outside.pushes.map(({ token, endpoint, message }) => {
    const { GCM, APNS } = JSON.parse(message) as { GCM?: string; APNS?: string };
    const payload = JSON.parse(GCM ?? APNS ?? '{}') as Row;
    const { data, android } = GCM ? payload.fcmV1Message.message : payload;
    const isSilent = data.type === 'badge_sync';
    const badge = isSilent ? data.badge : (android?.notification.notification_count ?? payload.aps?.badge);
    return { token, endpoint, messageId: isSilent ? null : data.messageId, badge: Number(badge) };
  });
}
