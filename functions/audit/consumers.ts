import { logTo } from '../../lib/contract/bucket-uses.ts';
import { consumer, untilTooOld } from '../../lib/contract/consumer.ts';
import { tellOperators } from '../../lib/contract/uses.ts';
import { auditChangesPrefix, Evidence } from '../evidence/buckets.ts';
import { AuditEvents } from './tables.ts';

/**
 * A role that may append can overwrite an event, since IAM sees no condition. This function's role writes no table and reads none.
 * Most events are of the staff's application, so the alarm is there.
 */
export const watchAuditEvents = consumer({
  summary: 'Raises an alarm for each change of the audit events that is not an append',
  application: 'medinfo',
  stream: AuditEvents,
  uses: [logTo(Evidence, auditChangesPrefix), tellOperators()],
  // Until the bucket of evidence has it; what is too old goes to the failures' bucket.
  retries: untilTooOld,
  sounds: {
    auditEventsTamperedWith:
      'Somebody changed, removed or planted audit events with the rights of a function; the evidence bucket has the row as it was, below audit-changes/',
  },
  impact: 'Nothing else would find a change of the audit events that nobody may make',
});
