import type { Handle } from '../../../lib/runtime/table-handle.ts';
import { datedState } from '../rules/logged.ts';
import { isLiftedInLog, replayed } from '../rules/replayed.ts';
import type { Erasure } from '../rules/state.ts';
import { repairAccount } from '../stores/account-rows.ts';
import { takenBackBy } from '../stores/erasure-evidence.ts';
import { logErasure, loggedErasures } from '../stores/erasure-log.ts';
import { changeErasure } from '../stores/erasure-rows.ts';
import { readHold, repairHold } from '../stores/hold-rows.ts';
import type { Accounts, Erasures, LegalHolds } from '../tables.ts';
import type { RegisterDependencies } from '../workflows/register.ts';

/** After a restore of tables from a backup: writes the erasures and holds of the log into the tables again. */

/**
 * `ignored`: objects in the log that are not states. `toLift`: users whose hold exists, although the log says that it
 * was lifted. `failed`: users whose state could not be replayed, and why.
 */
export type Replayed = {
  users: number;
  again: number;
  ignored: number;
  toLift: string[];
  failed: { readonly userId: string; readonly error: unknown }[];
};

type ReplayDependencies = RegisterDependencies & {
  readonly table: Erasures<'check'>;
  readonly accounts: Handle<typeof Accounts, 'query'>;
  readonly holds: LegalHolds<'put' | 'remove'>;
};

/**
 * Combines the table's state and the log's states of each user, and queues again each step that was begun. The
 * functions that erase and release take these steps at their next run. It can be repeated, and changes nothing if
 * nothing was restored. If one user's replay fails, the others are still replayed.
 *
 * @param backupOf the time of the restored backup: erasures and releases from before it are not done again
 * @returns the number of users in the log, and for how many of them something is done again
 */
export async function replayErasures(
  deps: ReplayDependencies,
  backupOf?: Date,
  progress?: (users: number) => void,
): Promise<Replayed> {
  const figures: Replayed = { users: 0, again: 0, ignored: 0, toLift: [], failed: [] };
  for await (const { userId, logged, ignored } of loggedErasures(deps)) {
    figures.ignored += ignored;
    if (logged.length === 0) continue;
    figures.users += 1;
    if (figures.users % 100 === 0) progress?.(figures.users);
    const states = logged.map(datedState);
    try {
      const after = await replayOf(deps, userId, states, backupOf);
      if (after?.pending === 'erasure') figures.again += 1;
      if (after && isLiftedInLog(after, states)) figures.toLift.push(userId);
    } catch (error) {
      figures.failed.push({ userId, error });
    }
  }
  return figures;
}

async function replayOf(
  deps: ReplayDependencies,
  userId: string,
  states: readonly Erasure[],
  backupOf: Date | undefined,
): Promise<Erasure | null> {
  const after = await changeErasure(deps, userId, async (before) => {
    const times = [before, ...states].flatMap((state) => state?.requestedAt ?? []);
    const takenBack = await takenBackBy(deps, userId, times);
    const inHolds = await readHold(deps.holds, userId);
    const known = replayed(before, states, takenBack, { now: new Date(), backupOf, inHolds });
    return known && { after: known };
  });
  if (!after) return null;
  await repairAccount(deps, after);
  await repairHold(deps, after);
  await logErasure(deps, after);
  return after;
}
