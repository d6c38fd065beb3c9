import { consumer } from '../../lib/contract/consumer.ts';
import { appendTo, continueWith, scan } from '../../lib/contract/uses.ts';
import { ConsentStates } from '../consents/tables.ts';
import { Evidence, ledgerPrefix } from './buckets.ts';
import { LedgerKey } from './signing-keys.ts';

/** One of both applications' functions is enough: the ledger is the environment's. */
export const writeCheckpoint = consumer({
  summary: 'Signs how far every chain of consent records is, and lays it where nobody can remove it',
  application: 'sleepcare',
  schedule: 'rate(1 hour)',
  uses: [scan(ConsentStates), continueWith(LedgerKey), appendTo(Evidence, ledgerPrefix)],
  impact:
    'Consents since the last checkpoint could be rewritten by who can write the tables, and no check would show it',
});
