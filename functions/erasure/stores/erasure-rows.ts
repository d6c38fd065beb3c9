import { commit, type Items } from '../../../lib/runtime/commit.ts';
import { ifRevision } from '../../../lib/runtime/conditions.ts';
import { below, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { get, put, remove } from '../../../lib/runtime/rows.ts';
import { type dueKeyOf, dueMove, dueUntil } from '../rules/due.ts';
import { erasureKeyOf } from '../rules/erasure.ts';
import { isErasure } from '../rules/erasure-form.ts';
import type { Erasure, ErasureRow } from '../rules/state.ts';
import type { Erasures } from '../tables.ts';
import { type AccountTables, accountMove } from './account-rows.ts';

/**
 * Table `Erasures`: a user's state, and the next step in a queue that is ordered by time. Both change in one
 * transaction, so every state with a next step is in the queue. The account's rows change in the same transaction, so
 * the account is closed while there is a request. Every read is strongly consistent.
 */

export type ErasureTables = { readonly table: Erasures<'get' | 'put' | 'remove'> } & AccountTables;

/**
 * The row does not have the form of a state, so somebody wrote it by hand. Nothing is decided from it: its user gets
 * 500, runs skip the user and fail, and an operator must examine the row.
 */
class ErasureMalformed extends Error {
  override readonly name = 'ErasureMalformed';

  constructor() {
    super('the row of table Erasures has no state’s form: docs/runbook.md#erase-accounts-errors');
  }
}

/** @throws ErasureMalformed */
export async function readErasureRow(table: Erasures<'get'>, userId: string): Promise<Erasure | null> {
  const row = await get<ErasureRow>(table, erasureKeyOf(userId));
  if (!row) return null;
  const { kind: _kind, erasureKey: _key, ...erasure } = row;
  // The key says to which user the row belongs. With another user's id in it, that user's evidence would be used.
  const state: Erasure = { ...erasure, userId };
  // Without a correct revision, no change of it would ever be committed.
  if (!isErasure(state) || state.revision < 1) throw new ErasureMalformed();
  return state;
}

/** `also` is written in the same transaction. */
export type Decision = { after: Erasure; also?: Items };
/** @returns the same object if nothing has to change */
export type Decide = (before: Erasure | null) => Promise<Decision | null> | Decision | null;

/** `known`: the state if it was already read, null for none; otherwise it is read here. */
export type Reading = { known?: Erasure | null; pause?: RetryOptions['pause'] };

/**
 * Reads, decides and writes. If somebody else wrote in between, it decides again from the new state.
 *
 * @returns the new state; null if there is none and none had to be made
 * @throws a Failure `UNAVAILABLE` if the contention lasts longer than the attempts
 */
export async function changeErasure(
  tables: ErasureTables,
  userId: string,
  decide: Decide,
  { known, pause }: Reading = {},
): Promise<Erasure | null> {
  const attempt = async (number: number) => {
    const isKnown = number === 0 && known !== undefined;
    const before = isKnown ? known : await readErasureRow(tables.table, userId);
    const decision = await decide(before);
    if (!decision || decision.after === before) return before;
    const revision = Math.max(before?.revision ?? 0, decision.after.revision) + 1;
    const after = { ...decision.after, revision };
    return (await commitDecision(tables, before, { ...decision, after })) ? after : contended;
  };
  return retryOnContention(attempt, pause && { pause });
}

async function commitDecision(
  tables: ErasureTables,
  before: Erasure | null,
  { after, also = [] }: Decision,
): Promise<boolean> {
  const { table } = tables;
  const { left, next } = dueMove(before, after);
  const moved = await accountMove(tables, before, after);
  return commit([
    put(table, { ...erasureKeyOf(after.userId), ...after }, ifRevision('kind', before?.revision)),
    ...(left ? [remove(table, left)] : []),
    ...(next ? [put(table, { ...next, userId: after.userId })] : []),
    ...moved,
    ...also,
  ]);
}

/** Whether the queue has this row. */
export async function isDue(table: Erasures<'get'>, key: ReturnType<typeof dueKeyOf>): Promise<boolean> {
  return key ? (await get(table, key)) !== null : false;
}

/** The users whose next step is due, the oldest step first. */
export async function* dueUsers(table: Erasures<'query'>, queue: string, until: Date): AsyncGenerator<string> {
  const due = queryEach(table, { ...inPartition({ kind: queue }, { erasureKey: below(dueUntil(until)) }), Limit: 50 });
  for await (const { userId } of due) yield String(userId);
}
