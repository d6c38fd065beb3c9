import { dynamo } from '../../lib/runtime/clients.ts';
import { kms } from '../../lib/runtime/kms.ts';
import { runOnSchedule } from '../../lib/runtime/run-on-schedule.ts';
import { s3 } from '../../lib/runtime/s3.ts';
import { signCompact } from '../../lib/runtime/sign.ts';
import { expireChains, readChains } from './chain-store.ts';
import { releaseConsents } from './consumers.ts';
import { releaseQueue } from './erasure.ts';
import { dueUsers } from './erasure-store.ts';
import { storeTombstone } from './log-store.ts';
import { registerAt } from './register-store.ts';
import { tombstoneOf } from './state.ts';
import { sweep } from './sweep-store.ts';
import { type Releasing, releaseStep } from './take-step.ts';

export const handler = runOnSchedule(releaseConsents)(async (reach) => {
  const { tables, buckets, signingKeys, where, businessNow, now, log, remainingMs } = reach;
  const place = { dynamo: dynamo(), s3: s3(), table: tables.Erasures, bucket: buckets.Evidence };
  const register = registerAt(place, now, businessNow);
  const hands: Releasing = {
    seal: async (erasure, releasedAt) => {
      const chains = await readChains(dynamo(), tables, erasure.userId);
      const claims = tombstoneOf(erasure, { environment: where.environment, chains, releasedAt });
      return { chains, tombstone: await signCompact(kms(), signingKeys.LedgerKey, claims, 'ledger-tombstone+jwt') };
    },
    release: async (erasure) => {
      // Whoever misses the records finds what was there, so that is first.
      await storeTombstone(s3(), buckets.Evidence, erasure.userId, erasure.tombstone);
      await expireChains(dynamo(), tables, erasure);
    },
  };
  // Steps that are pending are due by real time, a retention's end by the business rules'.
  const until = new Date(Math.max(now().getTime(), businessNow.getTime()));
  const due = dueUsers(dynamo(), tables.Erasures, releaseQueue, until);
  return sweep(due, { step: (userId) => releaseStep(userId, register, hands), log, remainingMs });
});
