import type { Environment } from '../../../lib/contract/register.ts';
import { unlessConflict } from '../../../lib/runtime/commit.ts';
import { isContention } from '../../../lib/runtime/failure.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';
import { areTooMany, type ErasureRequest, momentAfter, nothing, ofTheLastDay, requested } from '../rules/erasure.ts';
import { restoreAccount, withoutRequest } from '../rules/grace.ts';
import type { Erasure } from '../rules/state.ts';
import { repairAccount } from '../stores/account-rows.ts';
import {
  decisionsOf,
  isAsked,
  isDecided,
  layRequest,
  type Request,
  requestOf,
  requestsOf,
  takenBackBy,
  undecidedFrom,
} from '../stores/erasure-evidence.ts';
import { readErasureRow } from '../stores/erasure-rows.ts';
import type { Accounts, Erasures } from '../tables.ts';
import { areTakenBackIn, laidOf } from './evidence.ts';
import { changeLogged, type RegisterDependencies, registerAt } from './register.ts';
import { type Settling, settle, settleConsents } from './take-step.ts';

/**
 * The decisions of users about their own accounts. Each decision is committed first. If a later step fails, the next
 * run of `eraseAccounts` completes it.
 */

/** `tell` sends the notice of a committed request, before the sessions end. If it fails, the same session can still repeat the request. */
export type Requesting = Settling & { readonly tell: (erasure: Erasure) => Promise<void> };

export type Requested = { outcome: 'too-many' } | { outcome: 'requested'; erasure: Erasure };

/** @param businessNow the business rules' time */
export async function requestAndSettle(
  deps: RegisterDependencies,
  businessNow: Date,
  asking: Omit<ErasureRequest, 'times' | 'asked'>,
  effects: Requesting,
): Promise<Requested> {
  const { userId } = asking;
  // Before the request is committed, because it stores the difference between the business rules' time and the real
  // time.
  const register = registerAt(deps, () => new Date(), businessNow);
  const times = { now: register.now(), businessNow };
  return retryOnContention(async () => {
    let laid: Request | null = null;
    let isRefused = false;
    const [known, first] = await Promise.all([readErasureRow(deps.table, userId), requestsOf(deps, userId)]);
    const decideOn = async (latest: Erasure | null) => {
      const asked = latest === known ? first : await requestsOf(deps, userId);
      const before = await standing(deps, latest, asked, times.now);
      laid = null;
      if (before?.requestedAt) return { after: before };
      // Only those that were decided about, as each of the user's own was: whoever stores others keeps nobody from asking.
      isRefused = areTooMany(await decisionsOf(deps, userId, ofTheLastDay(asked, times.now)));
      if (isRefused) return null;
      const from = momentAfter(times.now, before?.restoredAt ?? null, [...asked.keys()]);
      // There must be no decision about a request before it is made.
      const moment = await undecidedFrom(deps, userId, from);
      if (!moment) throw new Error('it is decided already of every time at which the user could ask');
      const after = requested(before, { ...asking, times, asked: moment });
      laid = { userId, requestedAt: moment.toISOString() };
      // Without this evidence nothing is erased: the row is not enough, since other functions write it, too.
      await layRequest(deps, { ...laid, graceEndsAt: after.graceEndsAt, application: after.application });
      return { after };
    };
    const recorded = await changeLogged(deps, userId, decideOn, { known });
    if (isRefused) return { outcome: 'too-many' };
    // A restoration may have taken the request back before it was committed. Then the answer must not say that the
    // request was made.
    if (laid && (await isDecided(deps, laid))) return contended;
    if (recorded) await effects.tell(recorded);
    if (recorded?.settledAt && recorded.signedOutAt) return { outcome: 'requested', erasure: recorded };
    const erasure = await settle(userId, register, effects, recorded);
    // Somebody may have taken the request back after it was committed: the answer says what was committed.
    return { outcome: 'requested', erasure: erasure.requestedAt ? erasure : (recorded ?? erasure) };
  });
}

/**
 * A request that was taken back no longer counts, even if the restoration stopped halfway: the next request is a new
 * one. A request without stored evidence does not count either. Otherwise somebody who can write states could prevent
 * the user's own request.
 */
async function standing(
  deps: RegisterDependencies,
  before: Erasure | null,
  asked: ReadonlyMap<string, Date>,
  now: Date,
): Promise<Erasure | null> {
  const request = before && requestOf(before);
  if (!request) return before;
  // The evidence may have been stored in the meantime.
  if (!asked.has(request.requestedAt) && !(await isAsked(deps, request))) return withoutRequest(before);
  const isTakenBack = await takenBackBy(deps, request.userId, [request.requestedAt], asked);
  if (!isTakenBack(request.requestedAt)) return before;
  return restoreAccount({ ...before, settledAt: before.settledAt ?? now.toISOString() }, now);
}

export type TakenBack = { outcome: 'too-late' } | { outcome: 'open'; erasure: Erasure | null };

type OpeningDependencies = RegisterDependencies & {
  readonly table: Erasures<'check'>;
  readonly accounts?: Handle<typeof Accounts, 'query'>;
};

/** The consents that ended with the account stay ended. */
export async function takeBack(
  deps: OpeningDependencies,
  { environment, businessNow }: { readonly environment: Environment; readonly businessNow: Date },
  userId: string,
  effects: Pick<Settling, 'lastRecordAt'>,
): Promise<TakenBack> {
  const register = registerAt(deps, () => new Date(), businessNow);
  return retryOnContention(async () => {
    let refused: 'unsettled' | 'too-late' | null = null;
    let isOpenAlready = false;
    const [known, first] = await Promise.all([readErasureRow(deps.table, userId), laidOf(deps, userId)]);
    const isTakenBack = async (latest: Erasure | null) => {
      // The row was changed in the meantime, perhaps by a new request.
      const laid = latest === known ? first : await laidOf(deps, userId);
      const request = latest && requestOf(latest);
      return areTakenBackIn(deps, environment, { userId, request, laid, businessNow });
    };
    const decideOn = async (latest: Erasure | null) => {
      refused = null;
      isOpenAlready = !latest?.requestedAt;
      const after = latest && restoreAccount(latest, register.now());
      if (latest && !after) refused = 'unsettled';
      // The evidence says whether this or the closing of sign-in was first; the row follows the evidence.
      else if (!(await isTakenBack(latest))) refused = 'too-late';
      return after && refused === null ? { after } : null;
    };
    const erasure = await changeLogged(deps, userId, decideOn, { known });
    if (refused === 'unsettled') {
      // The request stopped halfway or is under way. It must first be known which consents ended. No session ends: the account opens again.
      await settleConsents(userId, register, effects);
      return contended;
    }
    if (refused) return { outcome: 'too-late' };
    return isOpenAlready && !(await isOpened(deps, userId, erasure)) ? contended : { outcome: 'open', erasure };
  });
}

/**
 * The state has no request, but somebody who planted a request and then removed it from the state may have left the
 * account closed. Otherwise its user would be locked out, and the answer would say that the account is open. The ends in
 * the account's row stay, because the state may have lost them.
 *
 * @returns false if the state was changed in the meantime
 */
async function isOpened(deps: OpeningDependencies, userId: string, erasure: Erasure | null): Promise<boolean> {
  const { table, accounts } = deps;
  if (accounts === undefined) return true;
  const repaired = repairAccount({ table, accounts }, erasure ?? nothing(userId)).then(() => true);
  return unlessConflict(repaired, isContention, () => false);
}
