import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { withoutRequest } from './grace.ts';
import type { Erasure, LegalHold } from './state.ts';
import type { TakenBack } from './taken-back.ts';

/**
 * The state of a user after a restore, from the states that the log has and from that of the table. A restore removes
 * newer rows from tables. And before the replay, somebody may have placed a hold or requested the erasure again.
 */

/**
 * @param inLog in any order
 * @param takenBack whether each request was taken back, by the evidence
 * @returns the same object as in the table if only its revision would change
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
  // A step that was begun is done again from its start: nobody knows which of the deleted rows the restore brought
  // back.
  const isRedone = all.begunAt !== null && !isIn(all, backupOf);
  const after: Erasure = {
    ...all,
    // Far below the highest revision of a row, so that a revision that was planted in the log cannot use up all
    // revisions.
    revision: Math.min(all.revision, highestLogged),
    // If the table has lost the request, records may have been written since then, so the end is computed again.
    settledAt: all.requestedAt === null ? null : (table?.settledAt ?? null),
    pending: isRedone ? 'erasure' : (table?.pending ?? null),
    ...holdOf(inTable, inLog, inHolds, now),
  };
  return inTable && textOf({ ...after, revision: inTable.revision }) === textOf(inTable) ? inTable : after;
}

export type Restored = {
  /** The real time. */
  readonly now: Date;
  /** The time of the restored backup. Without it, the backup counts as older than everything. */
  readonly backupOf?: Date | undefined;
  /** The user's row in the table `LegalHolds`. */
  readonly inHolds?: LegalHold | null;
};

type Hold = Pick<Erasure, 'legalHold' | 'holdChangedAt'>;

/**
 * A replay places holds but lifts none, because every function that writes states could log a state with a lifted hold.
 * The log's hold is over only if the table itself has a later lifting.
 */
function holdOf(inTable: Erasure | null, inLog: readonly Erasure[], inHolds: LegalHold | null, now: Date): Hold {
  const { legalHold = null, holdChangedAt = null } = inTable ?? {};
  if (inHolds) return { legalHold: inHolds, holdChangedAt: holdChangedAt ?? inHolds.since };
  if (legalHold) return { legalHold, holdChangedAt };
  // Nobody can have lifted a hold at a time in the future.
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

/** Whether the log says that the current hold was lifted. A person must check this, and lift the hold. */
export function isLiftedInLog({ legalHold, holdChangedAt }: Erasure, inLog: readonly Erasure[]): boolean {
  return (
    legalHold !== null && inLog.some((state) => !state.legalHold && (state.holdChangedAt ?? '') > (holdChangedAt ?? ''))
  );
}

/** Whether the backup is newer than the end of all steps. */
function isIn({ erasedAt, releasedAt }: Erasure, backupOf: Date | undefined): boolean {
  const [last = null] = [releasedAt, erasedAt].filter((time) => time !== null);
  return backupOf !== undefined && last !== null && Date.parse(last) + doneWithinMs < backupOf.getTime();
}

/** How long a release may take: it is carried out with its decision, or by the next daily runs. */
const doneWithinMs = 7 * 86_400_000;

/**
 * Combines two states; their order does not matter. For each event, the first time counts: the user pool was not
 * restored, so sign-in is still closed. Of requests and restorations, the latest one counts. For the hold see `holdOf`.
 */
function joined(known: Erasure, alsoKnown: Erasure): Erasure {
  const restoredAt = latest(known.restoredAt, alsoKnown.restoredAt);
  const heldBackAt = latest(known.heldBackAt, alsoKnown.heldBackAt);
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

/**
 * Removes a request that was taken back, and what followed from it. Only the evidence says so; anybody may have planted
 * a state that says it.
 */
function standing(state: Erasure, takenBack: TakenBack): Erasure {
  return state.requestedAt !== null && takenBack(state.requestedAt) ? withoutRequest(state) : state;
}

/** Removes a beginning that was taken back. If the account was erased, the beginning stays. */
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

/**
 * The name of a state in the log. The same state always has the same name; two states with the same revision have
 * different names.
 */
export function logNameOf(erasure: Erasure): string {
  const digest = createHash('sha256').update(textOf(erasure)).digest('hex');
  return `${String(erasure.revision).padStart(8, '0')}-${digest.slice(0, 16)}`;
}

function textOf(erasure: Erasure): string {
  return canonicalize(erasure) as string;
}
