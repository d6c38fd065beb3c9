import type { Environment } from '../../../lib/contract/deployments.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { type Asked, areTooMany, type Erasure, momentAfter, requested } from '../rules/erasure.ts';
import { restored, withoutRequest } from '../rules/grace.ts';
import {
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
import { areTakenBackIn, laidOf } from './evidence.ts';
import { changeLogged, type Place, registerAt } from './register.ts';
import { type Settling, settle } from './take-step.ts';

/** What a user decides on the own account. Each is committed first; what fails after it the next run of eraseAccounts completes. */

export type Requested = { outcome: 'too-many' } | { outcome: 'requested'; erasure: Erasure };

/** @param businessNow the business rules' time */
export async function requestAndSettle(
  place: Place,
  businessNow: Date,
  asking: Omit<Asked, 'times' | 'asked'>,
  effects: Settling,
): Promise<Requested> {
  const { userId } = asking;
  // Before the request is committed, as it keeps how far the business rules' time is from the real one.
  const register = registerAt(place, () => new Date(), businessNow);
  const times = { now: register.now(), businessNow };
  return retryOnContention(async () => {
    let laid: Request | null = null;
    let isRefused = false;
    const [known, first] = await Promise.all([
      readErasureRow(place.dynamo, place.table, userId),
      requestsOf(place, userId),
    ]);
    const decideOn = async (latest: Erasure | null) => {
      const asked = latest === known ? first : await requestsOf(place, userId);
      const before = await standing(place, latest, asked, times.now);
      laid = null;
      if (before?.requestedAt) return { after: before };
      isRefused = areTooMany(asked.values(), times.now);
      if (isRefused) return null;
      const from = momentAfter(times.now, before?.restoredAt ?? null, [...asked.keys()]);
      // Nobody has decided of it before it is made.
      const moment = await undecidedFrom(place, userId, from);
      if (!moment) throw new Error('it is decided already of every time at which the user could ask');
      const after = requested(before, { ...asking, times, asked: moment });
      laid = { userId, requestedAt: moment.toISOString() };
      // The row is not enough to erase anything, since other functions write it, too.
      await layRequest(place, { ...laid, graceEndsAt: after.graceEndsAt });
      return { after };
    };
    const recorded = await changeLogged(place, userId, decideOn, { known });
    if (isRefused) return { outcome: 'too-many' };
    // A restoration that saw it before it was committed took it back: it does not stand, and its user is not to hear that it does.
    if (laid && (await isDecided(place, laid))) return contended;
    if (recorded?.settledAt && recorded.signedOutAt) return { outcome: 'requested', erasure: recorded };
    return { outcome: 'requested', erasure: await settle(userId, register, effects, recorded) };
  });
}

/**
 * A request that was taken back no longer counts, even if that call stopped in between: the next request is a new one. Nor does one
 * that nobody laid: whoever writes states could else have the user's own not be made.
 */
async function standing(
  place: Place,
  before: Erasure | null,
  asked: ReadonlyMap<string, Date>,
  now: Date,
): Promise<Erasure | null> {
  const request = before && requestOf(before);
  if (!request) return before;
  // It may have been laid since.
  if (!asked.has(request.requestedAt) && !(await isAsked(place, request))) return withoutRequest(before);
  const isTakenBack = await takenBackBy(place, request.userId, [request.requestedAt], asked);
  if (!isTakenBack(request.requestedAt)) return before;
  return restored({ ...before, settledAt: before.settledAt ?? now.toISOString() }, now);
}

export type TakenBack = { outcome: 'too-late' } | { outcome: 'open'; erasure: Erasure | null };

/** The consents that ended with the account stay ended. */
export async function takeBack(
  place: Place,
  { environment, businessNow }: { readonly environment: Environment; readonly businessNow: Date },
  userId: string,
  effects: Settling,
): Promise<TakenBack> {
  const register = registerAt(place, () => new Date(), businessNow);
  return retryOnContention(async () => {
    let refused: 'unsettled' | 'too-late' | null = null;
    const [known, first] = await Promise.all([
      readErasureRow(place.dynamo, place.table, userId),
      laidOf(place, userId),
    ]);
    const isTakenBack = async (latest: Erasure | null) => {
      // Who changed the row in between may have asked anew.
      const laid = latest === known ? first : await laidOf(place, userId);
      const request = latest && requestOf(latest);
      return areTakenBackIn(place, environment, { userId, request, laid, businessNow });
    };
    const decideOn = async (latest: Erasure | null) => {
      refused = null;
      const after = latest && restored(latest, register.now());
      if (latest && !after) refused = 'unsettled';
      // Of it and the closing of sign-in the evidence says which was first; the row follows.
      else if (!(await isTakenBack(latest))) refused = 'too-late';
      return after && refused === null ? { after } : null;
    };
    const erasure = await changeLogged(place, userId, decideOn, { known });
    if (refused === 'unsettled') {
      // The request broke off, or is under way: which consents ended has to be known first.
      await settle(userId, register, effects);
      return contended;
    }
    return refused ? { outcome: 'too-late' } : { outcome: 'open', erasure };
  });
}
