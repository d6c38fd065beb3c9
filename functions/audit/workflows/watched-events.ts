import { auditChangesPrefix } from '../../evidence/buckets.ts';
import type { WatchedAppends } from '../../evidence/exports.ts';
import { isTyped } from '../../evidence/rules.ts';
import { auditEventsTamperedWith } from '../metrics.ts';
import { eventIdAt } from '../rules/audit-event.ts';
import { AuditEvents } from '../tables.ts';

const types = {
  text: ['application', 'actor', 'action', 'subject', 'requestId'],
  'object or null': ['before', 'after'],
};

/** Audit events, as their watcher knows them. */
export const watchedEvents: WatchedAppends = {
  rules: {
    attributes: AuditEvents.ledger?.attributes ?? [],
    isWellFormed: ({ at, eventId, ...row }) => {
      if (!isTyped(row, types)) return false;
      const begin = `${eventIdAt(new Date(at))}-`;
      return String(eventId).startsWith(begin) && /^[0-9a-f]{8}$/.test(String(eventId).slice(begin.length));
    },
    expiryOf: null,
  },
  named: ({ application, eventId }) => ({ of: String(application), eventId: String(eventId) }),
  prefix: auditChangesPrefix,
  metric: auditEventsTamperedWith,
  message: 'a forbidden change of an audit event',
  subject: 'audit events tampered with',
  runbook: 'audit-events-tampered-with',
};
