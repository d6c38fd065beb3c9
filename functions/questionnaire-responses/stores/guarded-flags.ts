import { isDeepStrictEqual } from 'node:util';
import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { isTime } from '../../../lib/contract/instant.ts';
import { whileOpen } from '../../../lib/runtime/accounts.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { ifAbsent, ifAsRead } from '../../../lib/runtime/conditions.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { check, get, put, remove } from '../../../lib/runtime/rows.ts';
import type { RowChange } from '../../consent-events/rules.ts';
import { readVersion } from '../../questionnaires/exports.ts';
import { nameBasedId } from '../../questionnaires/rules.ts';
import {
  type Candidate,
  derivedFlags,
  firstOf,
  flagOf,
  isAfter,
  isAnswered,
  mostFlags,
  standsFor,
} from '../rules/derived-flags.ts';
import { type Flag, type FlagRow, type FlagRowKey, flagIdOf, type Raised, urgentTicketId } from '../rules/flag.ts';
import { type Decision, decided } from '../rules/flag-decision.ts';
import { flagIdOfKey, type Hint, hintsIn, imageOf, isId, keysIn, userIdOfList } from '../rules/flag-image.ts';
import { raisedIn, type Suspicion, suspicionOf } from '../rules/flag-suspicion.ts';
import type { QuestionnaireFlags } from '../tables.ts';
import { readAcknowledgement, readDecisions } from './decision-rows.ts';
import { flagKey, rowsOf, stillUndecided } from './flag-rows.ts';
import { type Guards, isErasureBegun, layEvidence } from './guards.ts';
import { readResponse } from './response-rows.ts';

/**
 * Flags as the completed answers and the decisions of staff say that they are. What differs from that, is put back. Nothing
 * here believes what a flag's own rows say.
 */

export type FlagFinding = {
  readonly flagId: string;
  /** Null where no answer is known that could have raised it. */
  readonly ticketId: string | null;
  readonly suspicion: Suspicion;
  /** Whether its rows are again as they have to be. */
  readonly isBack: boolean;
};

type FlagChange = RowChange & { readonly eventId: string };

type Guarded = {
  readonly hints: readonly Hint[];
  /** Of its rows, where a stream has some. */
  readonly changes?: readonly FlagChange[];
  /** Rows that came by the changes, and that it does not have as it is now, are taken off. Null: they stay. */
  readonly lists?: Lists | null;
};

type Lists = QuestionnaireFlags<'remove'>;

const ifNone = ifAbsent('part');

export async function guardFlag(
  guards: Guards,
  flagId: string,
  { hints, changes = [], lists = null }: Guarded,
): Promise<FlagFinding | null> {
  const known = await hintsOf(guards, flagId, hints);
  const raised =
    (await raisedFor(guards, flagId, known)) ?? changes.map((each) => raisedIn(each, flagId)).find(Boolean);
  if (!raised) return withoutAnswers(guards, flagId, { hints: known, changes });
  const keys = lists ? keysIn(changes) : [];
  const { decisions, broken, stale } = await standingOf(guards, raised, keys);
  const suspicion =
    suspicionOf(changes, raised, decisions) ??
    (broken.length > 0 ? 'missing' : null) ??
    (stale.length > 0 ? 'planted' : null);
  if (suspicion === null || (await isErasureBegun(guards, raised.userId))) return null;
  await layAll(guards, raised.userId, suspicion, changes);
  const isBack = await putBack(guards, raised, { keys, lists });
  return { flagId, ticketId: urgentTicketId(raised), suspicion, isBack };
}

/**
 * A row of a list that its flag does not have as it is now, such as an earlier one, is taken off. So is one on a user's list without a
 * flag that is there, or that answers raise: nobody sees the row itself, but it pauses a sleep window.
 */
export async function guardListRow(guards: ListGuards, row: Row & FlagRowKey): Promise<FlagFinding | null> {
  const flagId = flagIdOfKey(row);
  const userId = userIdOfList(row);
  const own = flagId === null ? null : await readRow(guards, flagKey(flagId));
  // A row that somebody planted under the flag's key is no flag, and one of another person none of this list.
  const flag = own && isWhole(own) && (userId === null || own.userId === userId) ? own : null;
  if (flag && rowsOf(flag).some((key) => isSame(key, row))) return null;
  const change = { eventId: nameBasedId('flag-row', JSON.stringify(row)), NewImage: imageOf(row) };
  const said = { hints: hintsIn(change), changes: [change], lists: guards.tables.QuestionnaireFlags };
  const finding = flagId && (await guardFlag(guards, flagId, said));
  if (finding && finding.suspicion !== 'without-answers') return finding;
  return flag || userId === null ? finding || null : takeOff(guards, { userId, flagId, own, row, change });
}

export type ListGuards = Guards & { readonly tables: { readonly QuestionnaireFlags: Lists } };

type Stray = {
  readonly userId: string;
  /** Null: the key names none. */
  readonly flagId: string | null;
  /** The row under the flag's key, if there is one. */
  readonly own: Row | null;
  readonly row: FlagRowKey;
  readonly change: FlagChange;
};

async function takeOff(guards: ListGuards, { userId, flagId, own, row, change }: Stray): Promise<FlagFinding | null> {
  const { QuestionnaireFlags: flags } = guards.tables;
  const { part, name } = row;
  // An erasure may have taken it since it was read. After its begin it would not take the evidence.
  if (!(await readRow(guards, { part, name }))) return null;
  if (!(await isErasureBegun(guards, userId))) await layAll(guards, userId, 'planted', [change]);
  // Otherwise the flag was raised, or put right, meanwhile.
  const isStill = own ? ifAsRead(keyed(own)) : ifNone;
  const isNoFlag = flagId === null ? [] : [check(flags, flagKey(flagId), isStill)];
  if (!(await commit([remove(flags, { part, name }), ...isNoFlag]))) return null;
  return { flagId: flagId ?? 'unknown', ticketId: null, suspicion: 'planted', isBack: true };
}

function keyed({ part, flagId, userId, raisedAt }: Row): Row {
  return { part, flagId, userId, raisedAt };
}

function isSame(one: FlagRowKey, other: FlagRowKey): boolean {
  return one.part === other.part && one.name === other.name;
}

/** Whether it has what the keys of its rows are made of. */
function isWhole(own: Row): own is FlagRow {
  const isTimeOrNull = (name: string) => own[name] === null || isTime(own[name]);
  return (
    isId(own.flagId) && isId(own.userId) && isTime(own.raisedAt) && ['acknowledgedAt', 'endedAt'].every(isTimeOrNull)
  );
}

/** The flags that completed answers must have, and that are not there. */
export async function guardAnswers(guards: Guards, { userId, responseId }: Hint): Promise<FlagFinding[]> {
  const found: FlagFinding[] = [];
  const derived = await derivedFrom(guards, { userId, responseId });
  if (derived === 'unreadable') {
    return [{ flagId: `of response ${responseId}`, ticketId: null, suspicion: derived, isBack: false }];
  }
  for (const raised of derived) {
    const finding = await guardRaised(guards, raised);
    if (finding) found.push(finding);
  }
  return found;
}

async function guardRaised(guards: Guards, raised: Raised): Promise<FlagFinding | null> {
  const { userId, rootId, code, responseId } = raised;
  const hints = [responseId, rootId].map((each) => ({ userId, responseId: each }));
  for (let count = 0; count < mostFlags; count += 1) {
    const flagId = flagIdOf({ userId, rootId, code }, count);
    const seen = await readAcknowledgement(guards.tables.FlagDecisions, { userId, flagId });
    const before = await readRow(guards, flagKey(flagId));
    // Also where there is a row: one that somebody planted under this id would stand for the flag.
    const own = before && (await ownHint(guards, raised, before));
    const finding = await guardFlag(guards, flagId, { hints: own ? [own] : hints });
    if (finding) return finding;
    const row = await readRow(guards, flagKey(flagId));
    // An erasure took it meanwhile.
    if (!row) return null;
    if (row.responseId === responseId || standsFor(raised, seen)) return null;
  }
  return null;
}

/** The response that a flag's row names, if it is one of this user that raises it: by the clocks of several functions a correction may look earlier. */
async function ownHint(guards: Guards, { userId, rootId, code }: Raised, row: Row): Promise<Hint | null> {
  if (row.userId !== userId || !isId(row.responseId)) return null;
  const own = { userId, responseId: row.responseId };
  const derived = await derivedFrom(guards, own);
  const raises = derived !== 'unreadable' && derived.some((each) => each.rootId === rootId && each.code === code);
  return raises ? own : null;
}

/** What the answers raise by the rules of their questionnaire; nothing where there are none, or where they are a draft. */
async function derivedFrom({ tables }: Guards, hint: Hint): Promise<Raised[] | 'unreadable'> {
  const row = await readResponse(tables.QuestionnaireResponses, hint);
  if (row?.status !== 'completed') return [];
  if (!isAnswered(row) || row.responseId !== hint.responseId) return 'unreadable';
  const definition = await readVersion(tables.Questionnaires, row.questionnaireId, row.version);
  return (definition && derivedFlags(hint.userId, row, definition)) ?? 'unreadable';
}

/** The flag as the answers have raised it that these hints name, whatever its rows say; null where they raise none that can have its id. */
export async function raisedFor(guards: Guards, flagId: string, hints: readonly Hint[]): Promise<Flag | null> {
  const flags: Candidate[] = [];
  for (const hint of hints) {
    const derived = await derivedFrom(guards, hint);
    for (const raised of derived === 'unreadable' ? [] : derived) {
      const found = flagOf(raised, flagId);
      if (!found) continue;
      const { flag, before } = found;
      const { userId } = hint;
      const isInTime =
        before === null ||
        isAfter(flag, await readAcknowledgement(guards.tables.FlagDecisions, { userId, flagId: before }));
      flags.push({ flag, isInTime });
    }
  }
  return firstOf(flags);
}

/** With what the flag's own row says: any of them may be true. */
async function hintsOf(guards: Guards, flagId: string, hints: readonly Hint[]): Promise<Hint[]> {
  const { userId, responseId } = (await readRow(guards, flagKey(flagId))) ?? {};
  const all = isId(userId) && isId(responseId) ? [...hints, { userId, responseId }] : hints;
  return [...new Map(all.map((hint) => [`${hint.userId}#${hint.responseId}`, hint])).values()];
}

type Row = Readonly<Record<string, unknown>>;

function readRow({ tables }: Guards, key: Record<string, string>): Promise<Row | null> {
  return get<Row>(tables.QuestionnaireFlags, key);
}

type Standing = {
  readonly flag: Flag;
  readonly decisions: readonly Decision[];
  /** Of the rows that it has to have, those that are not so. */
  readonly broken: ReturnType<typeof rowsOf>;
  /** Of the keys that were asked for, those of rows that it does not have to have, and that are there. */
  readonly stale: readonly FlagRowKey[];
  /** Its own row. */
  readonly own: Row | null;
};

/** Decisions are only added: if there are as many before the rows are read as after, the rows are of the same moment. */
async function standingOf(guards: Guards, raised: Flag, keys: readonly FlagRowKey[]): Promise<Standing> {
  const read = () => readDecisions(guards.tables.FlagDecisions, raised);
  return retryOnContention(async () => {
    const decisions = await read();
    const flag = decided(raised, decisions);
    const rows = rowsOf(flag);
    const others = keys.filter((key) => !rows.some((row) => isSame(row, key)));
    const [there, left] = await Promise.all(
      [rows, others].map((each) => Promise.all(each.map(({ part, name }) => readRow(guards, { part, name })))),
    );
    if ((await read()).length !== decisions.length) return contended;
    const broken = rows.filter((row, index) => !isDeepStrictEqual({ ...row }, { ...there?.[index] }));
    const stale = others.filter((_, index) => left?.[index]);
    return { flag, decisions, broken, stale, own: there?.[0] ?? null };
  });
}

/** A transaction has a hundred writes, and more rows may have been planted. */
const mostStale = 50;

type Taking = { readonly keys: readonly FlagRowKey[]; readonly lists: Lists | null };

/** @returns false where something is missing and the account is closed: nothing is written to it, and nothing taken off */
async function putBack(guards: Guards, raised: Flag, { keys, lists }: Taking): Promise<boolean> {
  const { QuestionnaireFlags: flags, Accounts: table } = guards.tables;
  const attempt = async (some: readonly FlagRowKey[], isClosed: boolean) => {
    const { flag, broken, stale, own } = await standingOf(guards, raised, some);
    if (broken.length === 0 && stale.length === 0) return true;
    if (isClosed && broken.length > 0) return false;
    const { part } = flagKey(flag.flagId);
    const isOwnBroken = broken.some((row) => row.part === part);
    const puts = broken.map((row) => put(flags, row, row.part === part ? isAsRead(own) : {}));
    const writes = [...puts, ...(lists ? stale.map((key) => remove(lists, key)) : [])];
    const isUndecided = check(flags, flagKey(flag.flagId), stillUndecided(flag));
    return (await commit(isOwnBroken ? writes : [...writes, isUndecided])) || contended;
  };
  const each = async (isClosed: boolean) => {
    for (let from = 0; from === 0 || from < keys.length; from += mostStale) {
      const some = keys.slice(from, from + mostStale);
      if (!(await retryOnContention(() => attempt(some, isClosed)))) return false;
    }
    return true;
  };
  try {
    return await whileOpen({ table, userId: raised.userId }, () => each(false));
  } catch (error) {
    if (error instanceof Failure && error.error === AccountClosed) return each(true);
    throw error;
  }
}

/** The condition that nobody has decided about the flag since its row was read, whatever the row is. */
function isAsRead(own: Row | null) {
  return own ? ifAsRead({ acknowledgedAt: own.acknowledgedAt, outcome: own.outcome }) : ifNone;
}

/** A flag that says too much does no harm, so it stays. */
async function withoutAnswers(
  guards: Guards,
  flagId: string,
  { hints, changes }: { readonly hints: readonly Hint[]; readonly changes: readonly FlagChange[] },
): Promise<FlagFinding | null> {
  const [first] = hints;
  // A row under a user that only has a key, of a flag that is gone: the flag's own change says so.
  if (!first || (await isErasureBegun(guards, first.userId))) return null;
  await layAll(guards, first.userId, 'without-answers', changes);
  return { flagId, ticketId: null, suspicion: 'without-answers', isBack: false };
}

async function layAll(guards: Guards, userId: string, suspicion: Suspicion, changes: readonly FlagChange[]) {
  const table = 'QuestionnaireFlags';
  for (const change of changes) await layEvidence(guards, userId, { ...change, table, suspicion });
}
