import { expect, test } from 'vitest';
import { pushStage, token } from './delivery-stage.ts';

const { patient, post, got, queued, queues, stage, log } = pushStage({ patience: 1 });

test('only a device whose push hangs is retried, and it ends in the dead-letter queue', async () => {
  const [one, hanging, three] = [token(), token('fail-timeout'), token()];
  const { userId } = await patient(one, hanging, three);
  const messageId = await post(userId);
  let receives = 0;
  await stage().idle(() => {
    receives += 1;
    expect([...got(one), ...got(three)]).toHaveLength(2);
    expect(queued('PushQueue')).toMatchObject([{ receiveCount: receives }]);
    // SNS gives no answer in three attempts of a second each; then the claim is let go.
    expect(log.filter((line) => line.includes('left for a retry'))).toHaveLength(receives);
    queues().elapse(60_000);
  });
  expect(receives).toBe(5);
  const dead = queued('PushQueueDeadLetters').map(({ body }) => JSON.parse(body));
  expect(dead).toMatchObject([{ deviceId: 'phone-1', notification: { messageId } }]);
  expect([...got(one), ...got(three)]).toHaveLength(2);
});
