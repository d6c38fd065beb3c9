import { earlierKeysOf } from '../../../lib/runtime/environment.ts';
import { kms } from '../../../lib/runtime/kms.ts';
import { runOnSchedule } from '../../../lib/runtime/run-on-schedule.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { publicKeysOf, signCompact } from '../../../lib/runtime/sign.ts';
import { readSigned } from '../../../lib/runtime/signed.ts';
import { longestTombstone, tombstoneType } from '../../evidence/rules.ts';
import { datedGraceMs } from '../../product.ts';
import { releaseConsents } from '../consumers.ts';
import { releaseQueue } from '../rules/due.ts';
import { hasRetentionEnded } from '../rules/logged.ts';
import { isTombstoneOf, tombstoneOf } from '../rules/statement.ts';
import { TombstoneKey } from '../signing-keys.ts';
import { expireChains, readChains } from '../stores/chains.ts';
import { begunAtOf } from '../stores/erasure-evidence.ts';
import { storeTombstone } from '../stores/erasure-log.ts';
import { dueUsers } from '../stores/erasure-rows.ts';
import { registerAt } from '../workflows/register.ts';
import { sweep } from '../workflows/sweep.ts';
import { type Releasing, releaseStep } from '../workflows/take-step.ts';

/** The table says that a retention period has ended, but the evidence from the beginning of the erasure does not. */
class NotInTheLog extends Error {
  override readonly name = 'NotInTheLog';
}

/** The table has a release that the ledger's key has not signed. */
class NotSigned extends Error {
  override readonly name = 'NotSigned';
}

export const handler = runOnSchedule(releaseConsents)(async (deps) => {
  const { tables, buckets, signingKeys, where, businessNow, now, log, remainingMs } = deps;
  const registerDeps = { s3: s3(), table: tables.Erasures, holds: tables.LegalHolds, bucket: buckets.Evidence };
  const register = registerAt(registerDeps, now, businessNow);
  const graceMs = datedGraceMs[where.environment];
  const effects: Releasing = {
    seal: async (erasure, releasedAt) => {
      // The table is not enough as proof. In prod the business rules' time is the real time.
      if (!hasRetentionEnded(await begunAtOf(registerDeps, erasure.userId, graceMs), businessNow))
        throw new NotInTheLog();
      const chains = await readChains(tables, erasure.userId);
      const claims = tombstoneOf(erasure, { environment: where.environment, chains, releasedAt });
      return { chains, tombstone: await signCompact(kms(), signingKeys.TombstoneKey, claims, tombstoneType) };
    },
    release: async (erasure) => {
      // The table is not enough as proof of an earlier decision either, that is, of an earlier signature.
      const keys = await publicKeysOf(kms(), [signingKeys.TombstoneKey, ...earlierKeysOf(where, TombstoneKey)]);
      if (!isTombstoneOf(erasure, readSigned(erasure.tombstone, tombstoneType, keys, longestTombstone))) {
        throw new NotSigned();
      }
      // The tombstone is stored first, so that it always explains the missing records.
      await storeTombstone(registerDeps, erasure.userId, erasure.tombstone);
      await expireChains(tables, erasure);
    },
  };
  // Pending steps are due by the real time; the end of a retention period is due by the business rules' time.
  const until = new Date(Math.max(now().getTime(), businessNow.getTime()));
  const due = dueUsers(tables.Erasures, releaseQueue, until);
  return sweep(due, { step: (userId) => releaseStep(userId, register, effects), log, remainingMs });
});
