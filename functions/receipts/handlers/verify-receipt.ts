import { type StaleOnError, staleOnError } from '../../../lib/runtime/cached.ts';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { elapsedMs } from '../../../lib/runtime/elapsed.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { isSignedBy, type PublicJwk, readCompact, thumbprintOf } from '../../../lib/runtime/jws.ts';
import { serveInSteps } from '../../../lib/runtime/serve.ts';
import { type SignedRecord, verifyReceipt } from '../routes.ts';
import { judgeReceipt } from '../rules/verification.ts';
import { readKeys } from '../stores/public-keys.ts';

/** A receipt by a key that was published meanwhile verifies after it; a flood of unknown keys costs a read in each. */
const keysMs = 10_000;

let keys: (() => Promise<StaleOnError<PublicJwk[]>>) | undefined;

export const handler = serveInSteps(verifyReceipt)({
  read: ({ tables }) => {
    keys ??= staleOnError(() => readKeys(dynamo(), tables.PublicKeys), keysMs, elapsedMs);
    return keys();
  },
  answer: async ({ body, environment }, known) => {
    if (!known.value) throw known.error;
    const verdict = judgeReceipt(readCompact(body.receipt), known.value, environment, { isSignedBy, thumbprintOf });
    return {
      valid: verdict.refusal === null,
      reason: verdict.refusal,
      // What this environment signed is a record.
      record: verdict.refusal === null ? (verdict.record as SignedRecord) : null,
    };
  },
});

await initialize(verifyReceipt);
