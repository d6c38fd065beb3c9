import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { StoredEvent } from './rules/audit-event.ts';

/** Who administered what, and when; `eventId` increases with time. */
export const AuditEvents = table<StoredEvent>()('AuditEvents', {
  partitionKey: 'application',
  sortKey: 'eventId',
  stream: true,
  ledger: {
    attributes: ['application', 'eventId', 'at', 'actor', 'action', 'subject', 'requestId', 'before', 'after'],
  },
});
export type AuditEvents<A extends Action> = Handle<typeof AuditEvents, A>;
