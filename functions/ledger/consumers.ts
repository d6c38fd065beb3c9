import { consumer } from '../../lib/contract/consumer.ts';
import { appendTo, continueWith, logTo, readBelow, scan, verifyWith } from '../../lib/contract/uses.ts';
import { ConsentRecords, ConsentStates } from '../consents/tables.ts';
import { begunPrefix, changesPrefix, Evidence, ledgerPrefix, tombstonesPrefix } from './buckets.ts';
import { LedgerKey, TombstoneKey } from './signing-keys.ts';

/** One of both applications' functions is enough: the ledger is the environment's. */
export const writeCheckpoint = consumer({
  summary: 'Signs how far every chain of consent records is, and lays it where nobody can remove it',
  application: 'sleepcare',
  schedule: 'rate(1 hour)',
  uses: [scan(ConsentStates), continueWith(LedgerKey), appendTo(Evidence, ledgerPrefix)],
  impact:
    'Consents since the last checkpoint could be rewritten by who can write the tables, and no check would show it',
});

/**
 * IAM sees no conditions: who may append can put over a record. What the stream then tells is looked at within seconds, under
 * a role that writes no table.
 */
export const watchConsentRecords = consumer({
  summary: 'Raises an alarm for a change of the consent ledger that is none of an append or of a logged release',
  application: 'sleepcare',
  stream: ConsentRecords,
  uses: [
    verifyWith(TombstoneKey),
    readBelow(Evidence, tombstonesPrefix),
    readBelow(Evidence, begunPrefix),
    logTo(Evidence, changesPrefix),
  ],
  batchSize: 100,
  windowSeconds: 0,
  // Until the bucket of evidence has it; an hour before the stream forgets, what is left goes to the failures' bucket.
  retries: 10_000,
  maxAgeSeconds: 82_800,
  sounds: {
    ledgerRecordsTamperedWith:
      'Somebody changed, removed or planted consent records with the rights of a function; the evidence bucket has the row as it was, below ledger-changes/',
  },
  impact: 'A change of the consent ledger that nobody may make would be found by verify-ledger alone',
});
