import { logTo } from '../../lib/contract/bucket-uses.ts';
import { consumer, untilTooOld } from '../../lib/contract/consumer.ts';
import { tellOperators } from '../../lib/contract/uses.ts';
import { accessLogChangesPrefix, Evidence } from '../evidence/buckets.ts';
import { AccessLog } from './tables.ts';

/**
 * A role that may append can overwrite a look or give it another expiry, since IAM sees neither a condition nor a value. This
 * function's role writes no table and reads none. Looks are of staff, so the alarm is in their application.
 */
export const watchAccessLog = consumer({
  summary: 'Raises an alarm for each change of the access log that is neither an append nor the end of its term',
  application: 'medinfo',
  stream: AccessLog,
  uses: [logTo(Evidence, accessLogChangesPrefix), tellOperators()],
  // Until the bucket of evidence has it; what is too old goes to the failures' bucket.
  retries: untilTooOld,
  sounds: {
    accessLogTamperedWith:
      'Somebody changed, removed or planted looks at the data of patients, or gave them another expiry, with the rights of a function; the evidence bucket has the row as it was, below access-log-changes/',
  },
  impact: 'Nothing else would find a change of the access log that nobody may make',
});
