import { expect, test } from 'vitest';
import { mapWithConcurrency } from '../../lib/runtime/map-with-concurrency.ts';
import { pushStage, token } from './delivery-stage.ts';

/** 1,000 messages for 100 users, every third of whom has two phones: each arrives once on each phone, and nowhere else. */

const { patient, post, queued, settled, stage } = pushStage();

const users = 100;
const messagesEach = 10;
/** Of HTTP calls; more of them starve the sender on two cores. */
const parallel = 2;

test('1,000 messages for 100 users each arrive once on each device', async () => {
  const people = await mapWithConcurrency([...Array(users).keys()], parallel, async (index) => {
    const phones = index % 3 === 0 ? [token(), token()] : [token()];
    return { phones, userId: (await patient(...phones)).userId };
  });
  // A user's own come one after the other, as far as that goes: their board has one revision.
  const posts = Array.from({ length: messagesEach }, () => people).flat();
  const posted = await mapWithConcurrency(posts, parallel, async ({ userId, phones }) => {
    const messageId = await post(userId);
    return phones.map((phone) => `${phone} ${messageId}`);
  });
  const expected = posted.flat().toSorted();
  expect(expected).toHaveLength(messagesEach * (users + Math.ceil(users / 3)));

  await settled();
  const pushes = (stage().sns?.pushes() ?? []).map(({ token, request }) => ({ token, ...shown(request.Message) }));
  const messages = pushes.filter(({ type }) => type !== 'badge_sync');
  expect(messages.map(({ token, messageId }) => `${token} ${messageId}`).toSorted()).toEqual(expected);
  // A message that a newer one overtook is followed by the newer number alone (decision 17).
  const lastBadges = new Map(pushes.map(({ token, badge }) => [token, badge]));
  const phones = people.flatMap((person) => person.phones);
  expect(lastBadges).toEqual(new Map(phones.map((phone) => [phone, messagesEach])));
  expect(queued('PushQueueDeadLetters')).toEqual([]);
  expect(stage().streamFailures()).toEqual([]);
});

/** As an Android phone gets it. */
function shown(message: string): { type: string; messageId?: string; badge: number } {
  const { data, android } = JSON.parse(JSON.parse(message).GCM).fcmV1Message.message;
  return { ...data, badge: Number(data.badge ?? android.notification.notification_count) };
}
