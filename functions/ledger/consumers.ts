import { appendTo, logTo, readBelow } from '../../lib/contract/bucket-uses.ts';
import { consumer, untilTooOld } from '../../lib/contract/consumer.ts';
import { continueWith, get, joined, read, scan, sendTo, tellOperators, verifyWith } from '../../lib/contract/uses.ts';
import { consentInDoubtMeans } from '../access/consent-states.ts';
import { Agreements } from '../agreements/tables.ts';
import { ConsentRecords, ConsentStates } from '../consents/tables.ts';
import { TombstoneKey } from '../erasure/signing-keys.ts';
import { LegalHolds } from '../erasure/tables.ts';
import {
  begunPrefix,
  changesPrefix,
  decisionsPrefix,
  Evidence,
  importsPrefix,
  ledgerPrefix,
  pointerChangesPrefix,
  receiptChangesPrefix,
  requestsPrefix,
  tombstoneRevocationsPrefix,
  tombstonesPrefix,
} from '../evidence/buckets.ts';
import { MailQueue } from '../mail/queues.ts';
import { knowingKeys } from '../receipts/schemas.ts';
import { ReceiptKey } from '../receipts/signing-keys.ts';
import { ConsentReceipts } from '../receipts/tables.ts';
import { ledgerFindings, unreadablePointers } from './metrics.ts';
import { ImportKey, LedgerKey } from './signing-keys.ts';

/** One function for both applications is enough: they share the ledger of the environment. */
export const writeCheckpoint = consumer({
  summary: 'Signs the latest record of every consent chain, and stores the statement where nobody can remove it',
  application: 'sleepcare',
  schedule: 'rate(1 hour)',
  uses: [scan(ConsentStates), continueWith(LedgerKey), appendTo(Evidence, ledgerPrefix)],
  alarm: {
    metric: unreadablePointers,
    impact:
      'Pointers of the ledger have values that our code never writes: somebody else wrote them, and checkpoints ' +
      'leave out their chains',
  },
  impact:
    'Somebody that can write the tables could rewrite consents since the last checkpoint, and no check would show it',
});

/**
 * IAM sees no conditions: a role that may append can overwrite a record. The stream's change is examined within seconds, under
 * a role that writes no table.
 */
export const watchConsentRecords = consumer({
  summary: 'Raises an alarm for each change of the consent ledger that is neither an append nor a logged release',
  application: 'sleepcare',
  stream: ConsentRecords,
  uses: [
    verifyWith(TombstoneKey),
    verifyWith(ImportKey),
    get(LegalHolds),
    read(ConsentRecords),
    get(ConsentStates),
    readBelow(Evidence, tombstonesPrefix),
    readBelow(Evidence, tombstoneRevocationsPrefix),
    readBelow(Evidence, requestsPrefix),
    readBelow(Evidence, decisionsPrefix),
    readBelow(Evidence, begunPrefix),
    logTo(Evidence, changesPrefix),
    tellOperators(),
  ],
  // Until the bucket of evidence has it; what is too old goes to the failures' bucket.
  retries: untilTooOld,
  sounds: {
    ledgerRecordsTamperedWith:
      'Somebody changed, removed or planted consent records with the rights of a function; the evidence bucket has the row as it was, below ledger-changes/',
  },
  impact: 'A change of the consent ledger that nobody may make would be found only by verify-ledger',
});

/**
 * What a patient's page, an export and a message to a group go by is the pointer. Also its own function: nobody who writes consents
 * can write to it, and it tells the patient of each consent that opens data.
 */
export const watchConsentStates = consumer({
  summary: 'Raises an alarm for each pointer that is not its record, and tells patients that they share their data',
  application: 'sleepcare',
  // The other consumer of this stream counts consents.
  stream: ConsentStates,
  uses: [get(ConsentRecords), logTo(Evidence, pointerChangesPrefix), sendTo(MailQueue), tellOperators()],
  retries: untilTooOld,
  sounds: {
    consentPointersTamperedWith:
      'Somebody wrote or removed pointers to consent records with the rights of a function; the evidence bucket has the row as it was, below pointer-changes/',
    consentsInDoubt: consentInDoubtMeans,
  },
  impact:
    'A pointer that nobody may write would be found only by verify-ledger, and patients are not told that they share their data',
});

/** The check reads no receipts, so this compares each new one with its record. Its own function, so that a delay in the stream of records does not delay this one. */
export const watchConsentReceipts = consumer({
  summary: 'Raises an alarm for each change of a stored receipt that is neither an append nor a logged release',
  application: 'sleepcare',
  stream: ConsentReceipts,
  uses: joined(
    [
      verifyWith(TombstoneKey),
      verifyWith(ImportKey),
      verifyWith(ReceiptKey),
      get(Agreements),
      get(ConsentRecords),
      get(LegalHolds),
      readBelow(Evidence, tombstonesPrefix),
      readBelow(Evidence, tombstoneRevocationsPrefix),
      readBelow(Evidence, requestsPrefix),
      readBelow(Evidence, decisionsPrefix),
      readBelow(Evidence, begunPrefix),
      logTo(Evidence, receiptChangesPrefix),
      tellOperators(),
    ],
    knowingKeys,
  ),
  retries: untilTooOld,
  sounds: {
    storedReceiptsTamperedWith:
      'Somebody changed, removed or planted stored receipts of consents with the rights of a function; the evidence bucket has the row as it was, below receipt-changes/',
  },
  impact: 'A change of a stored receipt that nobody may make would be found only when its user asks for it',
});

/**
 * `npm run cli -- verify-ledger` in the cloud, under a role that writes and signs nothing. It does not check receipt keys, and it
 * has only fifteen minutes.
 */
export const checkLedger = consumer({
  summary: 'Checks every chain, pointer and checkpoint of the consent ledger',
  application: 'sleepcare',
  schedule: 'rate(1 day)',
  uses: [
    scan(ConsentRecords),
    read(ConsentRecords),
    scan(ConsentStates),
    get(ConsentStates),
    get(LegalHolds),
    verifyWith(LedgerKey),
    verifyWith(ImportKey),
    verifyWith(TombstoneKey),
    readBelow(Evidence, ledgerPrefix),
    readBelow(Evidence, pointerChangesPrefix),
    readBelow(Evidence, importsPrefix),
    readBelow(Evidence, tombstonesPrefix),
    readBelow(Evidence, tombstoneRevocationsPrefix),
    readBelow(Evidence, requestsPrefix),
    readBelow(Evidence, decisionsPrefix),
    readBelow(Evidence, begunPrefix),
    tellOperators(),
  ],
  alarm: {
    metric: ledgerFindings,
    impact: 'The consent ledger does not match its checkpoints or its rules: somebody may have changed evidence',
  },
  impact: 'Nobody checks the consent ledger; npm run cli -- verify-ledger does it by hand',
});
