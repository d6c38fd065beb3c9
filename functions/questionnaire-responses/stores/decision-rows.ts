import { isTime } from '../../../lib/contract/instant.ts';
import type { Items } from '../../../lib/runtime/commit.ts';
import { ifAbsent } from '../../../lib/runtime/conditions.ts';
import { inPartition, only } from '../../../lib/runtime/key-range.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { get, put, remove } from '../../../lib/runtime/rows.ts';
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
  return decisionOrder.map((what) => remove(table, keyOf(userId, { flagId, what })));
}

/** What staff decided about any flag of a user. */
export async function readDecisions(table: FlagDecisions<'query'>, userId: string): Promise<Decision[]> {
  const asked = only(inPartition({ userId }), ['flagId', 'what', 'at', 'by'] satisfies (keyof Decision)[]);
  return (await queryAll<Decision>(table, asked)).filter(isOne);
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
