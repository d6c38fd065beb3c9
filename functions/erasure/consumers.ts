import { appendTo, logTo, readBelow } from '../../lib/contract/bucket-uses.ts';
import { consumer } from '../../lib/contract/consumer.ts';
import { userPool } from '../../lib/contract/user-pool-uses.ts';
import {
  check,
  continueWith,
  expire,
  get,
  joined,
  read,
  remove,
  replace,
  tellOperators,
} from '../../lib/contract/uses.ts';
import { endingUses } from '../auth/uses.ts';
import { ConsentRecords, ConsentStates } from '../consents/tables.ts';
import {
  begunPrefix,
  decisionsPrefix,
  Evidence,
  erasuresPrefix,
  requestsPrefix,
  tombstonesPrefix,
} from '../evidence/buckets.ts';
import { usesOfErasure } from '../generated/erased-tables.ts';
import { ConsentReceipts } from '../receipts/tables.ts';
import { irregularErasures } from './metrics.ts';
import { TombstoneKey } from './signing-keys.ts';
import { Accounts, Erasures, LegalHolds } from './tables.ts';

export const eraseAccounts = consumer({
  summary:
    'Erases the accounts whose users asked for it, after the end of the grace period and of the last access token',
  application: 'all',
  schedule: 'rate(5 minutes)',
  // This includes what the domains declare about their tables, so a new table needs no line here.
  uses: joined(
    [
      read(Erasures),
      replace(Erasures),
      check(Erasures),
      read(Accounts),
      replace(Accounts),
      read(ConsentStates),
      userPool(['disable', 'end-sessions', 'delete']),
      get(LegalHolds),
      check(LegalHolds),
      logTo(Evidence, erasuresPrefix),
      readBelow(Evidence, requestsPrefix),
      appendTo(Evidence, decisionsPrefix),
      appendTo(Evidence, begunPrefix),
    ],
    joined(endingUses, usesOfErasure),
  ),
  impact: 'Accounts that their users deleted are still there',
});

/** One for both applications: only this function runs as the expiry role. */
export const releaseConsents = consumer({
  summary: 'Releases the consent records of erased users after their retention, and signs which records these are',
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
    readBelow(Evidence, requestsPrefix),
    readBelow(Evidence, decisionsPrefix),
    readBelow(Evidence, begunPrefix),
    appendTo(Evidence, tombstonesPrefix),
  ],
  impact: 'Consent records of erased users are kept for longer than their retention',
});

/**
 * Under its own role, which writes nothing. An attacker who suppresses an erasure changes rows. So it reads only three
 * things from rows: whether there is a hold, whether the account is closed during the grace period, and whether the
 * records of an erased user will be released.
 */
export const checkErasures = consumer({
  summary: 'Compares what users asked for with what was erased, by the dated evidence',
  application: 'sleepcare',
  schedule: 'rate(1 day)',
  uses: [
    get(LegalHolds),
    get(Erasures),
    read(Accounts),
    readBelow(Evidence, requestsPrefix),
    readBelow(Evidence, decisionsPrefix),
    readBelow(Evidence, begunPrefix),
    readBelow(Evidence, tombstonesPrefix),
    tellOperators(),
  ],
  alarm: {
    metric: irregularErasures,
    impact:
      'An account was not erased in time after its user requested it, or an account was erased although its user ' +
      'had not requested it',
  },
  impact: 'Erasures that somebody suppresses, or that no user requested, are not detected',
});
