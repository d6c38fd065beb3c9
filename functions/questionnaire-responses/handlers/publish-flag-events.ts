import { setAsideBy } from '../../../lib/contract/metrics.ts';
import { consumeStream } from '../../../lib/runtime/consume.ts';
import { eventBridge } from '../../../lib/runtime/event-bridge.ts';
import { publishEvents } from '../../consent-events/exports.ts';
import { publishFlagEvents } from '../consumers.ts';
import { flagEventOf } from '../rules/response-event.ts';

export const handler = consumeStream(publishFlagEvents)(async (records, { eventBus, where, log }) =>
  publishEvents(records, {
    client: eventBridge(),
    eventBus,
    environment: where.environment,
    eventOf: flagEventOf,
    setAside: setAsideBy('PublishFlagEvents'),
    log,
  }),
);
