import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { type Asked, type Erasure, requested, restored } from '../rules/erasure.ts';
import { layRequest } from '../stores/erasure-evidence.ts';
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
    const after = requested(before, { ...asked, times });
    // Nothing is erased by the row alone, which others write, too.
    if (after !== before && after.requestedAt) await layRequest(place, { userId, requestedAt: after.requestedAt });
    return { after };
  });
  if (recorded?.settledAt && recorded.signedOutAt) return recorded;
  return settle(userId, register, effects, recorded);
}

export type TakenBack = { outcome: 'too-late' } | { outcome: 'open'; erasure: Erasure | null };

/** The consents that ended with the account stay ended. */
export async function takeBack(place: Place, businessNow: Date, userId: string, effects: Settling): Promise<TakenBack> {
  const register = registerAt(place, () => new Date(), businessNow);
  return retryOnContention(async () => {
    let refused: 'unsettled' | 'too-late' | null = null;
    const erasure = await changeLogged(place, userId, (latest) => {
      const after = latest && restored(latest, { now: register.now(), businessNow });
      refused = latest && !after ? (latest.settledAt ? 'too-late' : 'unsettled') : null;
      return after && { after };
    });
    if (refused === 'unsettled') {
      // The request broke off, or is under way: which consents ended has to be known first.
      await settle(userId, register, effects);
      return contended;
    }
    return refused ? { outcome: 'too-late' } : { outcome: 'open', erasure };
  });
}
