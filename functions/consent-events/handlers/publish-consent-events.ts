import { consumeStream } from '../../../lib/runtime/consume.ts';
import { eventBridge } from '../../../lib/runtime/event-bridge.ts';
import { runAllThenThrow } from '../../../lib/runtime/run-all-then-throw.ts';
import { sendAll, sqs } from '../../../lib/runtime/sqs.ts';
import { publishConsentEvents } from '../consumers.ts';
import { consentChangedEventOf, revocationIn } from '../rules/consent-event.ts';
import { publishEvents } from '../stores/event-bus.ts';

/** Neither the bus nor the queue waits for the other while one of them is down. What is sent again changes nothing. */
export const handler = consumeStream(publishConsentEvents)(async (records, { eventBus, queues, where, log }) => {
  const revocations = records.map(({ dynamodb = {} }) => revocationIn(dynamodb)).filter((one) => one !== null);
  let failed: string | null = null;
  await runAllThenThrow([
    [
      'events',
      async () => {
        failed = await publishEvents(records, {
          client: eventBridge(),
          eventBus,
          environment: where.environment,
          eventOf: consentChangedEventOf,
          log,
        });
      },
    ],
    ['revocations', () => sendAll(queues.ConsentRevocations, revocations, sqs())],
  ]);
  return failed;
});
