import { isTime } from '../../../lib/contract/instant.ts';
import { commit, type Items } from '../../../lib/runtime/commit.ts';
import { ifAbsent, ifUnchanged } from '../../../lib/runtime/conditions.ts';
import { all, inPartition, isPossibleKey, only } from '../../../lib/runtime/key-range.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { check, get, put, query, remove } from '../../../lib/runtime/rows.ts';
import { type Flag, type FlagRow, type FlagRowKey, flagIdOf, isOutcome, type Raised } from '../rules/flag.ts';
import type { FlagDecisions, QuestionnaireFlags } from '../tables.ts';
import { decisionErasures } from './decision-rows.ts';

/** Table `QuestionnaireFlags`; tables.ts says which rows there are. Every read is strongly consistent. */

export const flagKey = (flagId: string) => ({ part: `flag#${flagId}`, name: 'flag' });
const ofUser = (userId: string) => `user#${userId}`;
const openOfUser = (userId: string) => `open#${userId}`;

/** How far staff have come with a flag that is not cleared. */
export type FlagState = 'open' | 'not-reached' | 'seen';

/** Ids are hexadecimal. So in the list of a user, open flags come first, and those that somebody takes care of last. */
const prefixes: Readonly<Record<FlagState, string>> = { open: '', 'not-reached': 'not-reached#', seen: 'seen#' };

function stateOf({ acknowledgedAt, outcome }: Flag): FlagState {
  if (acknowledgedAt === null) return 'open';
  return outcome === 'not-reached' ? 'not-reached' : 'seen';
}

/** The row of a flag that is not cleared yet, in the list of its user. */
export function unclearedKey(flag: Flag): FlagRowKey {
  return { part: openOfUser(flag.userId), name: `${prefixes[stateOf(flag)]}${flag.flagId}` };
}

/** The row of a flag in its list. */
export function listKey({ flagId, raisedAt, acknowledgedAt, endedAt }: Flag): { part: State; name: string } {
  if (endedAt !== null) return { part: 'ended', name: `${endedAt}#${flagId}` };
  return acknowledgedAt === null
    ? { part: 'open', name: `${raisedAt}#${flagId}` }
    : { part: 'acknowledged', name: `${acknowledgedAt}#${flagId}` };
}

export type State = 'open' | 'acknowledged' | 'ended';

/** All rows that a flag has, its own first. */
export function rowsOf(flag: Flag): (FlagRow | FlagRowKey)[] {
  return [
    { ...flagKey(flag.flagId), ...flag },
    { ...listKey(flag), ...flag },
    { part: ofUser(flag.userId), name: flag.flagId },
    ...(flag.outcome === 'cleared' ? [] : [unclearedKey(flag)]),
  ];
}

export async function readFlag(table: QuestionnaireFlags<'get'>, flagId: string): Promise<Flag | null> {
  const row = await get<FlagRow>(table, flagKey(flagId));
  if (!row) return null;
  const { part: _part, name: _name, ...flag } = row;
  return flag;
}

/**
 * The writes of flags in the transaction of the completion that raises them, so that no flag is lost. An open flag is
 * not raised again, on the condition that it is still open when the completion commits. If somebody has acknowledged
 * it, a correction raises it again.
 */
export async function raise(
  table: QuestionnaireFlags<'get' | 'put' | 'check'>,
  flags: readonly Raised[],
): Promise<Items> {
  const items = await Promise.all(
    flags.map(async ({ rootId, ...raised }): Promise<Items> => {
      const { userId, code } = raised;
      let acknowledged = 0;
      let flagId = flagIdOf({ userId, rootId, code }, acknowledged);
      let known = await readFlag(table, flagId);
      while (known && known.acknowledgedAt !== null) {
        acknowledged += 1;
        flagId = flagIdOf({ userId, rootId, code }, acknowledged);
        known = await readFlag(table, flagId);
      }
      if (known) return [check(table, flagKey(flagId), stillUndecided(known))];
      const isNew = ifAbsent('part');
      return rowsOf({ flagId, ...raised }).map((row, index) => put(table, row, index === 0 ? isNew : {}));
    }),
  );
  return items.flat();
}

/** The condition that nobody has acknowledged a flag, ended it, or erased it, since it was read. */
export function stillUndecided({ acknowledgedAt, outcome }: Flag) {
  return ifUnchanged({ acknowledgedAt, outcome });
}

/** Nobody decides about a flag with other values, which none of ours writes: there is nothing to wait for. */
function isDecidable({ acknowledgedAt, outcome }: Flag): boolean {
  return (acknowledgedAt === null || isTime(acknowledgedAt)) && (outcome === null || isOutcome(outcome));
}

/**
 * A page of the flags. Open flags are listed oldest first, because the oldest is the most urgent; the others are listed
 * newest first.
 */
export async function readFlags(
  table: QuestionnaireFlags<'query'>,
  state: State,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ found: Flag[]; next: string | null }> {
  const query = { ...inPartition({ part: state }, { name: all }, after), ScanIndexForward: state === 'open' };
  const { rows, next } = await queryPage<FlagRow>(table, query, limit);
  return { found: rows, next };
}

/** The number of open flags. It reads at most one megabyte, which is thousands of flags. */
export async function countOpen(table: QuestionnaireFlags<'query'>): Promise<number> {
  const { Count = 0 } = await query(table, { ...inPartition({ part: 'open' }), Select: 'COUNT' });
  return Count;
}

/**
 * The state of a user's flags that are not cleared: `open` if nobody has acknowledged one of them, else `not-reached` if
 * one of them ended so. It reads one row at most, however many flags there are.
 */
export async function readFlagState(table: QuestionnaireFlags<'query'>, userId: string): Promise<FlagState | null> {
  const { Items: [first] = [] } = await query(table, { ...inPartition({ part: openOfUser(userId) }), Limit: 1 });
  if (!first) return null;
  const name = String(first.name);
  return (['not-reached', 'seen'] as const).find((state) => name.startsWith(prefixes[state])) ?? 'open';
}

/** A page of a user's flags, by id. @param page `after`: the last `flagId` of the previous page */
export async function readFlagsOfUser(
  table: QuestionnaireFlags<'get' | 'query'>,
  userId: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ found: Flag[]; next: string | null }> {
  const part = ofUser(userId);
  const query = inPartition({ part }, { name: all }, after);
  const { rows, next } = await queryPage(table, query, limit);
  const flags = await Promise.all(rows.map(({ name }) => readFlag(table, name)));
  // A row under a user may name a flag of another one.
  return { found: flags.flatMap((flag) => (flag?.userId === userId ? [flag] : [])), next };
}

/** The ids of a user's flags. */
export async function flagIdsOfUser(table: QuestionnaireFlags<'query'>, userId: string): Promise<string[]> {
  const found: string[] = [];
  const rows = queryEach<FlagRowKey>(table, only(inPartition({ part: ofUser(userId) }), ['name']));
  for await (const { name } of rows) found.push(name);
  return found;
}

/** Where a flag may be listed: also as an open one, where its own row says otherwise and no decision does. */
function listedKeys(flag: Flag): FlagRowKey[] {
  const open = { ...flag, acknowledgedAt: null, outcome: null, endedAt: null };
  const [own, asOpen] = [listKey(flag), listKey(open)];
  const uncleared = Object.values(prefixes).map((prefix) => ({
    part: openOfUser(flag.userId),
    name: `${prefix}${flag.flagId}`,
  }));
  return [...uncleared, own, ...(own.part === asOpen.part ? [] : [asOpen])];
}

/**
 * Deletes a flag, its row in the list, its rows under the user, and what was decided about it. If somebody acknowledges or
 * ends it in the meantime, it moves to another list, and is read again; so no decision is left behind.
 */
export async function eraseFlag(
  tables: {
    readonly QuestionnaireFlags: QuestionnaireFlags<'get' | 'remove'>;
    readonly FlagDecisions: FlagDecisions<'remove'>;
  },
  { userId, flagId }: Pick<Flag, 'userId' | 'flagId'>,
  options?: RetryOptions,
): Promise<void> {
  const table = tables.QuestionnaireFlags;
  await retryOnContention(async () => {
    const flag = await readFlag(table, flagId);
    const items = [remove(table, { part: ofUser(userId), name: flagId })];
    // A row under a user may name a flag of another one.
    if (flag?.userId === userId) {
      items.push(remove(table, flagKey(flagId), isDecidable(flag) ? stillUndecided(flag) : {}));
      const keys = listedKeys(flag).filter(({ part, name }) => isPossibleKey(part, name));
      items.push(...keys.map((key) => remove(table, key)));
    }
    items.push(...decisionErasures(tables.FlagDecisions, userId, flagId));
    return (await commit(items)) ? null : contended;
  }, options);
}
