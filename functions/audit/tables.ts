import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';

/** Who administered what, and when; `eventId` increases with time. */
export const AuditEvents = table()('AuditEvents', {
  partitionKey: 'application',
  sortKey: 'eventId',
  stream: true,
  ledger: {
    attributes: ['application', 'eventId', 'at', 'actor', 'action', 'subject', 'requestId', 'before', 'after'],
  },
});
export type AuditEvents<A extends Action> = Handle<typeof AuditEvents, A>;
