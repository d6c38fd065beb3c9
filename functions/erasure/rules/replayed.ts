import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Erasure, LegalHold } from './erasure.ts';
import { withoutRequest } from './grace.ts';
import type { TakenBack } from './taken-back.ts';

/**
 * The state of a user after a restore, from the states that the log has and from that of the table. Tables forget in a
 * restore, and people go on: somebody may have placed a hold or asked again before the replay.
 */

/**
 * @param inLog in any order
 * @param takenBack what the evidence says of each request
 * @returns what the table has, the very same, where nothing but its revision would change
 */
export function replayed(
  inTable: Erasure | null,
  inLog: readonly Erasure[],
  takenBack: TakenBack,
  { now, backupOf, inHolds = null }: Restored,
): Erasure | null {
  const table = inTable && standing(inTable, takenBack);
  const [first, ...others] = [...(table ? [table] : []), ...inLog.map((state) => standing(state, takenBack))];
  if (!first) return null;
  const all = others.reduce(joined, first);
  // What was begun is done again from its start: nobody knows which of its traces the restore brought back.
  const isRedone = all.begunAt !== null && !isIn(all, backupOf);
  const after: Erasure = {
    ...all,
    // Far below the highest that a row may have: one that was planted in the log is not to end the counting.
    revision: Math.min(all.revision, highestLogged),
    // Where the table has forgotten the request, records may have been written since: the end is found anew.
    settledAt: all.requestedAt === null ? null : (table?.settledAt ?? null),
    pending: isRedone ? 'erasure' : (table?.pending ?? null),
    ...holdOf(inTable, inLog, inHolds, now),
  };
  return inTable && textOf({ ...after, revision: inTable.revision }) === textOf(inTable) ? inTable : after;
}

export type Restored = {
  /** The real time. */
  readonly now: Date;
  /** Of when the backup is that was put back; unless given, from before everything. */
  readonly backupOf?: Date | undefined;
  /** What table `LegalHolds` has of the user. */
  readonly inHolds?: LegalHold | null;
};

type Hold = Pick<Erasure, 'legalHold' | 'holdChangedAt'>;

/**
 * A replay places holds and lifts none: every function that writes states could log one that says that it was lifted. Only where the
 * table itself says that since, the log's hold is over.
 */
function holdOf(inTable: Erasure | null, inLog: readonly Erasure[], inHolds: LegalHold | null, now: Date): Hold {
  const { legalHold = null, holdChangedAt = null } = inTable ?? {};
  if (inHolds) return { legalHold: inHolds, holdChangedAt: holdChangedAt ?? inHolds.since };
  if (legalHold) return { legalHold, holdChangedAt };
  // What is yet to come nobody has lifted.
  const liftedAt = holdChangedAt !== null && holdChangedAt <= now.toISOString() ? holdChangedAt : '';
  const placed = inLog
    .filter((state) => state.legalHold)
    .toSorted((one, other) => ((one.holdChangedAt ?? '') < (other.holdChangedAt ?? '') ? -1 : 1))
    .at(-1);
  const { legalHold: inTheLog, holdChangedAt: placedAt } = placed ?? {};
  return inTheLog && placedAt && placedAt > liftedAt
    ? { legalHold: inTheLog, holdChangedAt: placedAt }
    : { legalHold, holdChangedAt };
}

/** Whether the log says that the hold which stands was lifted: for people to look into, and to lift. */
export function isLiftedInLog({ legalHold, holdChangedAt }: Erasure, inLog: readonly Erasure[]): boolean {
  return (
    legalHold !== null && inLog.some((state) => !state.legalHold && (state.holdChangedAt ?? '') > (holdChangedAt ?? ''))
  );
}

/** The backup was made when all of it was done. */
function isIn({ erasedAt, releasedAt }: Erasure, backupOf: Date | undefined): boolean {
  const [last = null] = [releasedAt, erasedAt].filter((time) => time !== null);
  return backupOf !== undefined && last !== null && Date.parse(last) + doneWithinMs < backupOf.getTime();
}

/** Of a release: it is carried out with its decision, or by the daily runs after it. */
const doneWithinMs = 7 * 86_400_000;

/**
 * All that either knows, in whichever order: what happened stays as it was the first time (the user pool was not restored,
 * so that sign-in has been closed since), and of request and restoration the latest word counts. Of the hold see `holdOf`.
 */
function joined(known: Erasure, alsoKnown: Erasure): Erasure {
  const restoredAt = latest(known.restoredAt, alsoKnown.restoredAt);
  const heldBackAt = latest(known.heldBackAt ?? null, alsoKnown.heldBackAt ?? null);
  const [one, other] = [known, alsoKnown].map((state) => begunSince(state, heldBackAt)) as [Erasure, Erasure];
  const first = (fact: Fact) => [one[fact], other[fact]].filter((time) => time !== null).toSorted()[0] ?? null;
  const { releasedAt, recordsExpireAt, chains, tombstone } =
    (one.releasedAt ?? '~') <= (other.releasedAt ?? '~') ? one : other;
  return {
    userId: one.userId,
    application: one.application ?? other.application,
    revision: Math.max(one.revision, other.revision),
    requestedAt: first('requestedAt'),
    // No record is later than it, including records that were written since a restore.
    endedAt: latest(one.endedAt, other.endedAt),
    settledAt: null,
    signedOutAt: first('signedOutAt'),
    witnessedAt: first('witnessedAt'),
    graceEndsAt: first('graceEndsAt'),
    restoredAt,
    closingAt: first('closingAt'),
    ends: [...new Set([...one.ends, ...other.ends])].toSorted(),
    closedAt: first('closedAt'),
    accessEndsAt: first('accessEndsAt'),
    begunAt: first('begunAt'),
    heldBackAt,
    erasedAt: first('erasedAt'),
    retainUntil: first('retainUntil'),
    releasedAt,
    recordsExpireAt,
    chains,
    tombstone,
    legalHold: null,
    holdChangedAt: null,
    pending: null,
  };
}

/** Without the request that was taken back, and what followed from it. A state's own word on that anybody may have put there. */
function standing(state: Erasure, takenBack: TakenBack): Erasure {
  return state.requestedAt !== null && takenBack(state.requestedAt) ? withoutRequest(state) : state;
}

/** Without the beginning that was taken back. What was erased was begun for good. */
function begunSince(state: Erasure, heldBackAt: string | null): Erasure {
  const { begunAt, erasedAt } = state;
  const isTakenBack = begunAt !== null && heldBackAt !== null && begunAt <= heldBackAt && erasedAt === null;
  return isTakenBack ? { ...state, begunAt: null } : state;
}

function latest(one: string | null, other: string | null): string | null {
  return (
    [one, other]
      .filter((time) => time !== null)
      .toSorted()
      .at(-1) ?? null
  );
}

const highestLogged = 1e8;

type Fact =
  | 'requestedAt'
  | 'signedOutAt'
  | 'witnessedAt'
  | 'graceEndsAt'
  | 'closingAt'
  | 'closedAt'
  | 'accessEndsAt'
  | 'begunAt'
  | 'erasedAt'
  | 'retainUntil';

/** Names a state in the log: the same state has the same name, and another one of the same revision another. */
export function logNameOf(erasure: Erasure): string {
  const digest = createHash('sha256').update(textOf(erasure)).digest('hex');
  return `${String(erasure.revision).padStart(8, '0')}-${digest.slice(0, 16)}`;
}

function textOf(erasure: Erasure): string {
  return canonicalize(erasure) as string;
}
