import { expect, test, vi } from 'vitest';
import { pushStage, token } from './delivery-stage.ts';

const { patient, post, got, queued, queues, log } = pushStage();

const soon = { timeout: 15_000, interval: 50 };

test('a device whose push hangs is retried alone, and ends in the dead-letter queue', async () => {
  const [one, hanging, three] = [token(), token('fail-timeout'), token()];
  const { userId } = await patient(one, hanging, three);
  const messageId = await post(userId);
  await vi.waitFor(() => expect([...got(one), ...got(three)]).toHaveLength(2), soon);
  for (let receives = 1; receives <= 5; receives += 1) {
    await vi.waitFor(() => expect(queued('PushQueue')).toMatchObject([{ receiveCount: receives }]), soon);
    // SNS gives no answer in three attempts of a second each; then the claim is let go.
    await vi.waitFor(
      () => expect(log.filter((line) => line.includes('left for a retry'))).toHaveLength(receives),
      soon,
    );
    queues().elapse(60_000);
  }
  await vi.waitFor(() => expect(queued('PushQueueDeadLetters')).toHaveLength(1), soon);
  const [dead] = queued('PushQueueDeadLetters');
  expect(JSON.parse(dead?.body ?? '')).toMatchObject({ deviceId: 'phone-1', notification: { messageId } });
  await vi.waitFor(() => expect(queued('PushQueue')).toEqual([]), soon);
  expect([...got(one), ...got(three)]).toHaveLength(2);
}, 60_000);
