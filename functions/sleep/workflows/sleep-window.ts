import { readEntitlements } from '../../access-codes/exports.ts';
import { readUser } from '../../users/exports.ts';
import { isAdult } from '../../users/rules.ts';
import type { Users } from '../../users/tables.ts';
import { type Standing, standingOf } from '../rules/standing.ts';
import { type FactTables, readWindowFacts } from '../stores/window-facts.ts';
import type { WindowRow } from '../stores/window-rows.ts';

/** A patient's sleep window: the released window, and the proposal that follows from the newer diary. */

export type SleepWindowTables = FactTables & Parameters<typeof readEntitlements>[0] & { readonly Users: Users<'get'> };

/** Reads the present state. It writes nothing. */
export async function readStanding(
  tables: SleepWindowTables,
  { userId, now }: { userId: string; now: Date },
): Promise<Standing<WindowRow>> {
  const [facts, terms, user] = await Promise.all([
    readWindowFacts(tables, userId),
    readEntitlements(tables, { userId, now }),
    readUser(tables.Users, userId),
  ]);
  return standingOf(facts, { terms, isAdult: isAdult(user, now) }, now);
}
