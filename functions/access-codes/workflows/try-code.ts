import type { KeyRing } from '../../../lib/contract/key-ring.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { type CodeRow, statusOf } from '../rules/batch.ts';
import { isOwn } from '../rules/code.ts';
import { lockOf, next, type Tries } from '../rules/tries.ts';
import { hashesOf, seal } from '../stores/code-keys.ts';
import { findCodeRow, readWithBatch } from '../stores/code-rows.ts';
import type { Verifier } from '../stores/foreign-codes.ts';
import { putTries, readTries } from '../stores/try-rows.ts';
import type { AccessCodeBatches, AccessCodes, AccessCodeTries } from '../tables.ts';

export type TryDependencies = {
  readonly tables: {
    readonly AccessCodes: AccessCodes<'get'>;
    readonly AccessCodeBatches: AccessCodeBatches<'get'>;
    readonly AccessCodeTries: AccessCodeTries<'get' | 'put'>;
  };
  readonly secret: KeyRing;
  /** Null where no insurer is connected. */
  readonly verify: Verifier | null;
};

export type Tried = {
  readonly userId: string;
  /** Well formed. */
  readonly code: string;
  /** The business rules' time. */
  readonly now: Date;
};

/** What a code is; `isGuess`: one of ours that does not exist. */
export type TriedCode =
  | { readonly outcome: 'unknown'; readonly isGuess: boolean }
  | { readonly outcome: 'expired' | 'revoked' }
  | { readonly outcome: 'redeemed'; readonly entitlementId: string | null; readonly siteId: string | null }
  | {
      readonly outcome: 'valid';
      readonly row: CodeRow;
      readonly grants: Grants;
      /** An insurer's code, to be billed. */
      readonly sealed: string | null;
      /** The ids that an insurer's code would have if it was redeemed under another key. */
      readonly otherIds: readonly string[];
    };

type Grants = { readonly programmeId: string; readonly grantsDays: number; readonly siteId: string | null };

export type Locked = { readonly outcome: 'locked'; readonly lockedUntil: string };

/** How many times a try is decided again: tries of one user, and of codes of one group, happen one after another. */
const retries = 12;

/**
 * A user's try of a code. The answer depends on the count of wrong codes that was read before: a wrong code moves the
 * count in its own transaction before it is answered, and `tell` has to meet the count unmoved. So of whatever is tried at once
 * no more is learnt than of one after the other.
 *
 * @param tell what the caller makes of a code that is no guess, under that count; `contended` where the count has moved
 */
export async function tryCode<T>(
  deps: TryDependencies,
  tried: Tried,
  tell: (found: TriedCode, tries: Tries | null) => Promise<T | typeof contended>,
): Promise<T | Locked | Extract<TriedCode, { outcome: 'unknown' }>> {
  const { tables } = deps;
  return retryOnContention<T | Locked | Extract<TriedCode, { outcome: 'unknown' }>>(
    async () => {
      const tries = await readTries(tables.AccessCodeTries, tried.userId);
      // Real time, whatever the time machine says.
      const lockedUntil = lockOf(tries, new Date());
      if (lockedUntil !== null) return { outcome: 'locked', lockedUntil };
      const found = await find(deps, tried);
      if (found.outcome !== 'unknown' || !found.isGuess) return tell(found, tries);
      const counted = next(tried.userId, tries, 'wrong', new Date());
      const items = [putTries(tables.AccessCodeTries, counted, tries)];
      return (await commit(items)) ? found : contended;
    },
    { retries },
  );
}

/** Whether the count is as it was read: what was looked up in between was so under it. */
export async function isUnmoved(
  { tables }: { readonly tables: { readonly AccessCodeTries: AccessCodeTries<'get'> } },
  userId: string,
  tries: Tries | null,
): Promise<boolean> {
  const current = await readTries(tables.AccessCodeTries, userId);
  return current?.revision === tries?.revision;
}

async function find({ tables, secret, verify }: TryDependencies, { code, now }: Tried): Promise<TriedCode> {
  const ids = hashesOf(secret, code);
  const known = await findCodeRow(tables.AccessCodes, ids);
  if (!isOwn(code)) return known ? redeemed(known, null) : foreign(code, ids, { secret, verify });
  if (!known?.batchId) return { outcome: 'unknown', isGuess: true };
  const { row, batch } = await readWithBatch(tables, { ...known, batchId: known.batchId });
  const status = statusOf(row, batch, now);
  if (status === 'redeemed') return redeemed(row, batch.siteId);
  if (status !== 'issued') return { outcome: status };
  const { programmeId, grantsDays, siteId } = batch;
  return { outcome: 'valid', row, grants: { programmeId, grantsDays, siteId }, sealed: null, otherIds: [] };
}

function redeemed({ entitlementId }: CodeRow, siteId: string | null): TriedCode {
  return { outcome: 'redeemed', entitlementId: entitlementId ?? null, siteId };
}

/** An insurer's code is not known here before it is redeemed: then it is kept, sealed, for the bill. */
async function foreign(
  code: string,
  [accessCodeId, ...otherIds]: readonly [string, ...string[]],
  { secret, verify }: Pick<TryDependencies, 'secret' | 'verify'>,
): Promise<TriedCode> {
  const verdict = verify ? await verify(code) : ({ outcome: 'unknown' } as const);
  if (verdict.outcome === 'valid') {
    const { programmeId, grantsDays } = verdict;
    const row = { accessCodeId, batchId: null, part: null };
    const sealed = seal(secret, code, accessCodeId);
    return { outcome: 'valid', row, grants: { programmeId, grantsDays, siteId: null }, sealed, otherIds };
  }
  if (verdict.outcome === 'redeemed') return { outcome: 'redeemed', entitlementId: null, siteId: null };
  return verdict.outcome === 'unknown' ? { outcome: 'unknown', isGuess: false } : { outcome: verdict.outcome };
}
