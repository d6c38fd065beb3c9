import { setAsideBy } from '../../../lib/contract/metrics.ts';
import { consumeStream } from '../../../lib/runtime/consume.ts';
import { eventBridge } from '../../../lib/runtime/event-bridge.ts';
import { publishConsentEvents } from '../consumers.ts';
import { consentChangedEventOf } from '../rules/consent-event.ts';
import { publishEvents } from '../stores/event-bus.ts';

export const handler = consumeStream(publishConsentEvents)(async (records, { eventBus, where, log }) =>
  publishEvents(records, {
    client: eventBridge(),
    eventBus,
    environment: where.environment,
    eventOf: consentChangedEventOf,
    setAside: setAsideBy('PublishConsentEvents'),
    log,
  }),
);
