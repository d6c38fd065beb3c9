import { consumeStream } from '../../lib/runtime/consume.ts';
import { eventBridge } from '../../lib/runtime/event-bridge.ts';
import { publishConsentEvents } from './consumers.ts';
import { publishEvents } from './publish-store.ts';

export const handler = consumeStream(publishConsentEvents)(async (records, { eventBus, where, log }) =>
  publishEvents(records, { client: eventBridge(), eventBus, environment: where.environment, log }),
);
