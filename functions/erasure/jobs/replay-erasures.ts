import type { Erasure } from '../rules/erasure.ts';
import { datedState } from '../rules/logged.ts';
import { isLiftedInLog, replayed } from '../rules/replayed.ts';
import { repairAccount } from '../stores/account-rows.ts';
import { takenBackBy } from '../stores/erasure-evidence.ts';
import { logErasure, loggedErasures } from '../stores/erasure-log.ts';
import { changeErasure } from '../stores/erasure-rows.ts';
import { readHold, repairHold } from '../stores/hold-rows.ts';
import type { Place } from '../workflows/register.ts';

/** After tables were restored from a backup: what the log knows of erasures and holds becomes true of the tables again. */

/**
 * `ignored`: objects in the log that are no states. `toLift`: whose hold stands, though the log says that it was lifted. `failed`:
 * whose state could not be replayed, and why.
 */
export type Replayed = {
  users: number;
  again: number;
  ignored: number;
  toLift: string[];
  failed: { readonly userId: string; readonly error: unknown }[];
};

/**
 * Brings each user's state to what table and log know together, and queues anew what was begun; the functions that erase and
 * release do it at their next run. Repeatable, and harmless where nothing was restored. One user's failure is not another's.
 *
 * @param backupOf of when the restored backup is: what was erased and released before it is not done again
 * @returns how many users the log knows, and of how many something is done again
 */
export async function replayErasures(
  place: Place & { readonly accounts: string; readonly holds: string },
  backupOf?: Date,
): Promise<Replayed> {
  const figures: Replayed = { users: 0, again: 0, ignored: 0, toLift: [], failed: [] };
  for await (const { userId, logged, ignored } of loggedErasures(place)) {
    figures.ignored += ignored;
    if (logged.length === 0) continue;
    figures.users += 1;
    const states = logged.map(datedState);
    try {
      const after = await replayOf(place, userId, states, backupOf);
      if (after?.pending === 'erasure') figures.again += 1;
      if (after && isLiftedInLog(after, states)) figures.toLift.push(userId);
    } catch (error) {
      figures.failed.push({ userId, error });
    }
  }
  return figures;
}

async function replayOf(
  place: Place & { readonly accounts: string; readonly holds: string },
  userId: string,
  states: readonly Erasure[],
  backupOf: Date | undefined,
): Promise<Erasure | null> {
  const after = await changeErasure(place.dynamo, place, userId, async (before) => {
    const times = [before, ...states].flatMap((state) => state?.requestedAt ?? []);
    const takenBack = await takenBackBy(place, userId, times);
    const inHolds = await readHold(place.dynamo, place.holds, userId);
    const known = replayed(before, states, takenBack, { now: new Date(), backupOf, inHolds });
    return known && { after: known };
  });
  if (!after) return null;
  await repairAccount(place.dynamo, place, after);
  await repairHold(place.dynamo, place, after);
  await logErasure(place, after);
  return after;
}
