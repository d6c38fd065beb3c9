import { consumeStream } from '../../../lib/runtime/consume.ts';
import { reportingOf, watchAppends } from '../../evidence/exports.ts';
import { watchAuditEvents } from '../consumers.ts';
import { watchedEvents } from '../workflows/watched-events.ts';

export const handler = consumeStream(watchAuditEvents)((records, bindings) =>
  watchAppends(records, watchedEvents, reportingOf(bindings)),
);
