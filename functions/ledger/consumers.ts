import { consumer } from '../../lib/contract/consumer.ts';
import { bucket, scan, signingKey } from '../../lib/contract/uses.ts';
import { ConsentStates } from '../consents/tables.ts';

/** One of both applications' functions is enough: the ledger is the environment's. */
export const writeCheckpoint = consumer({
  summary: 'Signs how far every chain of consent records is, and lays it where nobody can remove it',
  application: 'sleepcare',
  schedule: 'rate(1 hour)',
  uses: [scan(ConsentStates), signingKey('LedgerKey', 'continue'), bucket('Evidence', { 'ledger/': 'append' })],
  impact:
    'Consents since the last checkpoint could be rewritten by who can write the tables, and no check would show it',
});
