import { type Asked, type Erasure, requested, restored } from '../rules/erasure.ts';
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
  const times = { now: new Date(), businessNow };
  const recorded = await changeLogged(place, userId, (before) => ({ after: requested(before, { ...asked, times }) }));
  if (recorded?.settledAt) return recorded;
  return settle(
    userId,
    registerAt(place, () => new Date(), businessNow),
    effects,
  );
}

export type TakenBack = { outcome: 'too-late' } | { outcome: 'open'; erasure: Erasure | null };

/** The consents that ended with the account stay ended. */
export async function takeBack(place: Place, businessNow: Date, userId: string, effects: Settling): Promise<TakenBack> {
  const register = registerAt(place, () => new Date(), businessNow);
  const before = await register.read(userId);
  // Where the request broke off: which consents ended has to be known first.
  if (before?.requestedAt && !before.settledAt) await settle(userId, register, effects);
  let isTooLate = false;
  const erasure = await changeLogged(place, userId, (latest) => {
    const after = latest && restored(latest, { now: register.now(), businessNow });
    isTooLate = latest !== null && after === null;
    return after && { after };
  });
  return isTooLate ? { outcome: 'too-late' } : { outcome: 'open', erasure };
}
