import { consumer } from '../../lib/contract/consumer.ts';
import { read, write } from '../../lib/contract/uses.ts';
import { ConsentRecords, ConsentStates } from '../consents/tables.ts';
import { ConsentStatistics } from './tables.ts';

/** How many consent, by version and day: counted as it happens, so that nobody has to walk the ledger (decision 25). */
export const countConsents = consumer({
  summary: 'Counts consents and revocations by version and day',
  application: 'sleepcare',
  // It moves with each record, and goes when a chain is let go. The ledger's own stream has its two readers.
  stream: ConsentStates,
  uses: [read(ConsentRecords), write(ConsentStatistics)],
  windowSeconds: 1,
  retries: 10,
  rebuiltBy: 'rebuild-statistics',
  // A chain's next record brings what was missed; for the others there is the runbook's `count-consents-given-up`.
  impact: 'The compliance statistics lag behind the consents; consents themselves are untouched',
});
