import type { Environment } from '../../../lib/contract/deployments.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { type Asked, type Erasure, requested } from '../rules/erasure.ts';
import { restored } from '../rules/grace.ts';
import { layRequest, requestOf, takenBackBy } from '../stores/erasure-evidence.ts';
import { areTakenBackIn } from './evidence.ts';
import { changeLogged, type Place, registerAt } from './register.ts';
import { type Settling, settle } from './take-step.ts';

/** What a user decides on the own account. Each is committed first; what fails after it the next run of eraseAccounts completes. */

/** @param businessNow the business rules' time */
export async function requestAndSettle(
  place: Place,
  businessNow: Date,
  asked: Omit<Asked, 'times'>,
  effects: Settling,
): Promise<Erasure> {
  const { userId } = asked;
  // Before the request is committed, as it keeps how far the business rules' time is from the real one.
  const register = registerAt(place, () => new Date(), businessNow);
  const times = { now: register.now(), businessNow };
  const recorded = await changeLogged(place, userId, async (before) => {
    const after = requested(await standing(place, before, times.now), { ...asked, times });
    const { requestedAt, graceEndsAt } = after;
    // Nothing is erased by the row alone, which others write, too.
    if (requestedAt && requestedAt !== before?.requestedAt)
      await layRequest(place, { userId, requestedAt, graceEndsAt });
    return { after };
  });
  if (recorded?.settledAt && recorded.signedOutAt) return recorded;
  return settle(userId, register, effects, recorded);
}

/** A request that was taken back stands no more, also where the call broke off that did it: who asks again asks anew. */
async function standing(place: Place, before: Erasure | null, now: Date): Promise<Erasure | null> {
  const request = before && requestOf(before);
  if (!request || !(await takenBackBy(place, request.userId))(request.requestedAt)) return before;
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
    const erasure = await changeLogged(place, userId, async (latest) => {
      refused = null;
      const after = latest && restored(latest, register.now());
      const request = latest && requestOf(latest);
      if (latest && !after) refused = 'unsettled';
      // Of it and the closing of sign-in the evidence says which was first; the row follows.
      else if (!(await areTakenBackIn(place, environment, { userId, request }, businessNow))) refused = 'too-late';
      return after && refused === null ? { after } : null;
    });
    if (refused === 'unsettled') {
      // The request broke off, or is under way: which consents ended has to be known first.
      await settle(userId, register, effects);
      return contended;
    }
    return refused ? { outcome: 'too-late' } : { outcome: 'open', erasure };
  });
}
