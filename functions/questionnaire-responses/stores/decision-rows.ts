import { isTime } from '../../../lib/contract/instant.ts';
import type { Items } from '../../../lib/runtime/commit.ts';
import { ifAbsent } from '../../../lib/runtime/conditions.ts';
import { inPartition, isPossibleKey, only } from '../../../lib/runtime/key-range.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { get, put, remove } from '../../../lib/runtime/rows.ts';
import type { Flag } from '../rules/flag.ts';
import { type Decision, decisionOrder } from '../rules/flag-decision.ts';
import type { FlagDecisions } from '../tables.ts';

/** Table `FlagDecisions`. A decision is put once, and never changed. Every read is strongly consistent. */

const keyOf = (userId: string, { flagId, what }: Pick<Decision, 'flagId' | 'what'>) => ({
  userId,
  decision: `${flagId}#${what}`,
});

export function decisionItems(table: FlagDecisions<'put'>, userId: string, decisions: readonly Decision[]): Items {
  return decisions.map((each) => put(table, { ...keyOf(userId, each), ...each }, ifAbsent('userId')));
}

/** Of all that can be decided about a flag. */
export function decisionErasures(table: FlagDecisions<'remove'>, userId: string, flagId: string): Items {
  const keys = decisionOrder.map((what) => keyOf(userId, { flagId, what }));
  return keys.filter(({ decision }) => isPossibleKey(userId, decision)).map((key) => remove(table, key));
}

/** What staff decided about a flag, in that order. By keys: rows that somebody adds beside them hold nothing up. */
export async function readDecisions(
  table: FlagDecisions<'get'>,
  { userId, flagId }: Pick<Flag, 'userId' | 'flagId'>,
): Promise<Decision[]> {
  const rows = await Promise.all(decisionOrder.map((what) => get(table, keyOf(userId, { flagId, what }))));
  return rows.flatMap((row, index) => {
    const what = decisionOrder[index];
    return row && what && isOne(row) ? [{ flagId, what, at: row.at, by: row.by }] : [];
  });
}

/** The keys of a person's rows, also of those that no honest function wrote. */
export async function decisionKeys(table: FlagDecisions<'query'>, userId: string): Promise<string[]> {
  const keys: string[] = [];
  const rows = queryEach<{ decision: string }>(table, only(inPartition({ userId }), ['decision']));
  for await (const { decision } of rows) keys.push(decision);
  return keys;
}

export function flagIdOfDecision(decision: string): string {
  return decision.slice(0, decision.lastIndexOf('#'));
}

/** Other rows are of no honest function, and decide nothing. */
function isOne({ at, by }: Readonly<Record<string, unknown>>): boolean {
  return isTime(at) && typeof by === 'string';
}

/** Who has acknowledged a flag; null: nobody has. */
export async function readAcknowledgement(
  table: FlagDecisions<'get'>,
  { userId, flagId }: { readonly userId: string; readonly flagId: string },
): Promise<Pick<Decision, 'at' | 'by'> | null> {
  const row = await get(table, keyOf(userId, { flagId, what: 'acknowledged' }));
  return row && isOne(row) ? { at: row.at, by: row.by } : null;
}
