import { setAsideBy } from '../../../lib/contract/metrics.ts';
import { consumeStream } from '../../../lib/runtime/consume.ts';
import { eventBridge } from '../../../lib/runtime/event-bridge.ts';
import { publishEvents } from '../../consent-events/exports.ts';
import { publishEnrolmentEvents } from '../consumers.ts';
import { enrolmentEventOf } from '../rules/enrolment-event.ts';

export const handler = consumeStream(publishEnrolmentEvents)(async (records, { eventBus, where, log }) =>
  publishEvents(records, {
    client: eventBridge(),
    eventBus,
    environment: where.environment,
    eventOf: enrolmentEventOf,
    setAside: setAsideBy('PublishEnrolmentEvents'),
    log,
  }),
);
