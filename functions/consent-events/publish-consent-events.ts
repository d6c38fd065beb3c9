import { setAsideBy } from '../../lib/contract/metrics.ts';
import { consumeStream } from '../../lib/runtime/consume.ts';
import { eventBridge } from '../../lib/runtime/event-bridge.ts';
import { consentToldOf } from './consent-event.ts';
import { publishConsentEvents } from './consumers.ts';
import { publishEvents } from './publish-store.ts';

export const handler = consumeStream(publishConsentEvents)(async (records, { eventBus, where, log }) =>
  publishEvents(records, {
    client: eventBridge(),
    eventBus,
    environment: where.environment,
    eventOf: consentToldOf,
    setAside: setAsideBy('PublishConsentEvents'),
    log,
  }),
);
