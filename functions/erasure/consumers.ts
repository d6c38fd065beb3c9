import { consumer } from '../../lib/contract/consumer.ts';
import {
  appendTo,
  check,
  continueWith,
  expire,
  get,
  joined,
  logTo,
  read,
  readBelow,
  remove,
  replace,
  userPool,
} from '../../lib/contract/uses.ts';
import { ConsentRecords, ConsentStates } from '../consents/tables.ts';
import { begunPrefix, Evidence, erasuresPrefix, requestsPrefix, tombstonesPrefix } from '../ledger/buckets.ts';
import { TombstoneKey } from '../ledger/signing-keys.ts';
import { ConsentReceipts } from '../receipts/tables.ts';
import { usesOfErasure } from './generated.ts';
import { Accounts, Erasures, LegalHolds } from './tables.ts';

export const eraseAccounts = consumer({
  summary: 'Erases the accounts whose users asked for it, when the grace and the last access token have run out',
  application: 'both',
  schedule: 'rate(5 minutes)',
  // What the domains say of their tables comes with it: a new one needs no line here.
  uses: joined(
    [
      read(Erasures),
      replace(Erasures),
      replace(Accounts),
      read(ConsentStates),
      userPool('erase'),
      get(LegalHolds),
      check(LegalHolds),
      appendTo(Evidence, erasuresPrefix),
      readBelow(Evidence, requestsPrefix),
      appendTo(Evidence, begunPrefix),
    ],
    usesOfErasure,
  ),
  impact: 'Accounts that their users deleted are still there',
});

/** One for both applications: it alone runs as the expiry role. */
export const releaseConsents = consumer({
  summary: 'Lets the consent records of erased users go when their retention has ended, and signs what went',
  application: 'sleepcare',
  schedule: 'rate(1 day)',
  uses: [
    read(Erasures),
    replace(Erasures),
    expire(ConsentRecords),
    expire(ConsentReceipts),
    remove(ConsentStates),
    get(LegalHolds),
    check(LegalHolds),
    continueWith(TombstoneKey),
    logTo(Evidence, erasuresPrefix),
    readBelow(Evidence, begunPrefix),
    appendTo(Evidence, tombstonesPrefix),
  ],
  impact: 'Consent records of erased users are kept for longer than their retention',
});
