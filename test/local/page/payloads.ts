/** Messages as a sender publishes them, for every platform. */

type Shown = { readonly title: string; readonly body: string; readonly badge?: number };

export function visible({ title, body, badge = 0 }: Shown): string {
  const data = { type: 'agent_board' };
  const apns = JSON.stringify({ aps: { alert: { title, body }, badge, sound: 'default' }, data });
  const notification = { notification_count: badge };
  const message = { notification: { title, body }, data, android: { priority: 'high', notification } };
  return JSON.stringify({ APNS: apns, APNS_SANDBOX: apns, GCM: JSON.stringify({ fcmV1Message: { message } }) });
}

export function silent(badge: string): string {
  const data = { type: 'badge_sync', badge };
  const apns = JSON.stringify({ aps: { 'content-available': 1 }, data });
  const message = { data, android: { priority: 'normal', collapse_key: 'badge_sync' } };
  return JSON.stringify({ APNS: apns, APNS_SANDBOX: apns, GCM: JSON.stringify({ fcmV1Message: { message } }) });
}
