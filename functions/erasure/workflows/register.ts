import type { Objects } from '../../../lib/runtime/objects.ts';
import type { Erasure } from '../rules/state.ts';
import { logErasure } from '../stores/erasure-log.ts';
import {
  changeErasure,
  type Decide,
  type ErasureTables,
  type Reading,
  readErasureRow,
} from '../stores/erasure-rows.ts';
import { isHeld, isNotHeld } from '../stores/hold-rows.ts';
import type { LegalHolds } from '../tables.ts';
import { HoldStands, type Register } from './take-step.ts';

/** Where the states are stored: the table, and then the log, which is kept longer. */

/** `holds` is for functions that begin something that a hold forbids. */
export type RegisterDependencies = Objects & ErasureTables & { readonly holds?: LegalHolds<'get' | 'check'> };

/** The log is always written: an earlier call may have stopped between the table and the log. */
export async function changeLogged(
  deps: RegisterDependencies,
  userId: string,
  decide: Decide,
  reading: Reading = {},
): Promise<Erasure | null> {
  const after = await changeErasure(deps, userId, decide, reading);
  if (after) await logErasure(deps, after);
  return after;
}

export function registerAt(deps: RegisterDependencies, now: () => Date, businessNow: Date): Register {
  const { table, holds } = deps;
  const offset = businessNow.getTime() - now().getTime();
  return {
    read: (userId) => readErasureRow(table, userId),
    change: (userId, rule, known) =>
      changeLogged(deps, userId, (before) => before && { after: rule(before) }, known ? { known } : {}),
    changeUnheld: (userId, rule) =>
      changeLogged(deps, userId, async (before) => {
        const after = before && rule(before);
        if (!after || after === before) return after && { after };
        if (holds === undefined) throw new Error('who begins an erasure names table LegalHolds');
        if (await isHeld(holds, userId)) throw new HoldStands();
        return { after, also: [isNotHeld(holds, userId)] };
      }),
    now,
    get businessNow() {
      return new Date(now().getTime() + offset);
    },
  };
}
