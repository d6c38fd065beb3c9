import { type StaleOnError, staleOnError } from '../../../lib/runtime/cached.ts';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { elapsedMs } from '../../../lib/runtime/elapsed.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { isSignedBy, readCompact, thumbprintOf } from '../../../lib/runtime/jws.ts';
import { serveInSteps } from '../../../lib/runtime/serve.ts';
import { readRecord } from '../../consents/exports.ts';
import { type SignedRecord, verifyReceipt } from '../routes.ts';
import type { VouchedKey } from '../rules/key-statement.ts';
import { judgeReceipt, placeIn, type Refusal } from '../rules/verification.ts';
import { ledgerKeysOf } from '../stores/ledger-keys.ts';
import { readKeys } from '../stores/public-keys.ts';

/** A receipt by a key that was published meanwhile verifies after it; a flood of unknown keys costs a read in each. */
const keysMs = 10_000;

let keys: (() => Promise<StaleOnError<VouchedKey[]>>) | undefined;

export const handler = serveInSteps(verifyReceipt)({
  read: ({ environment, tables, signingKeys }) => {
    const ledgerKeys = ledgerKeysOf(signingKeys);
    const read = async () => readKeys(dynamo(), tables.PublicKeys, { environment, ledgerKeys: await ledgerKeys() });
    keys ??= staleOnError(read, keysMs, elapsedMs);
    return keys();
  },
  answer: async ({ body, environment, tables }, known) => {
    if (!known.value) throw known.error;
    const verdict = judgeReceipt(readCompact(body.receipt), known.value, environment, { isSignedBy, thumbprintOf });
    const refused = (reason: Refusal) => ({ valid: false, reason, record: null, warning: null });
    if (verdict.refusal !== null) return refused(verdict.refusal);
    // Who signs receipts might sign anything: what counts is the ledger's.
    const place = placeIn(verdict.record);
    if (!place) return refused('WRONG_HASH');
    const record = await readRecord(dynamo(), tables.ConsentRecords, place);
    if (record?.hash !== place.hash) return refused('NOT_IN_LEDGER');
    const { revokedAt } = verdict;
    const isRevoked = revokedAt !== null && Date.parse(revokedAt) <= Date.now();
    const warning = isRevoked ? { code: 'KEY_REVOKED' as const, since: revokedAt } : null;
    return { valid: true, reason: null, record: verdict.record as SignedRecord, warning };
  },
});

await initialize(verifyReceipt);
