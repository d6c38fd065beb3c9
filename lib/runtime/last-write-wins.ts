/**
 * Rules for data that several phones write, some of them without network. The write that was recorded last wins, whichever
 * arrives last. A deletion is a write, too, and leaves a tombstone, so that an older write does not restore the deleted
 * row. Pure.
 *
 * Others may have planted the stored row: a time to come, or none, is earlier than every write, and a revision that is none counts as 0.
 */

import { isTime, isToCome } from '../contract/instant.ts';
import { revisionOf } from '../contract/revision.ts';

/** A row's data about its last write. */
export type Stamp = {
  /** When the person wrote it, but never later than its arrival: a wrong clock must not win for ever. */
  readonly recordedAt: string;
  /** The time that the phone stated, or null. It identifies a repetition of the same write. */
  readonly statedAt: string | null;
  /** When it arrived. */
  readonly updatedAt: string;
  /** When the replaced write was recorded. */
  readonly replacedAt: string | null;
  /** Counts the writes, from 1; the `ETag` is made from it. */
  readonly revision: number;
  /** The fingerprint of the content. */
  readonly fingerprint: string;
  readonly isDeleted: boolean;
};

export type Incoming = {
  readonly statedAt: string | null;
  readonly fingerprint: string;
  readonly isDeleted: boolean;
  /** The header as it was sent. */
  readonly ifMatch: string | undefined;
};

/**
 * `written`: the write is stored, with this stamp. `same`: it is already stored. `older`: the stored write was recorded
 * later and stays. `refused`: `If-Match` names another state.
 */
export type Verdict =
  | { readonly outcome: 'written' | 'same' | 'older'; readonly stamp: Stamp }
  | { readonly outcome: 'refused' };

export function verdictOn(stored: Stamp | null, incoming: Incoming, now: Date): Verdict {
  const current = stored && believed(stored, now);
  const { statedAt, fingerprint, isDeleted, ifMatch } = incoming;
  // Checked before If-Match: a repetition after a lost answer names the earlier state.
  if (current && isSame(current, incoming)) return { outcome: 'same', stamp: current };
  if (ifMatch !== undefined && !(current && names(ifMatch, current))) return { outcome: 'refused' };
  const updatedAt = now.toISOString();
  const recordedAt = statedAt !== null && statedAt < updatedAt ? statedAt : updatedAt;
  const written: Stamp = {
    recordedAt,
    statedAt,
    updatedAt,
    replacedAt: current?.recordedAt || null,
    revision: (current?.revision ?? 0) + 1,
    fingerprint,
    isDeleted,
  };
  if (!current) return { outcome: 'written', stamp: written };
  if (ifMatch === undefined) {
    return isLater(written, current) ? { outcome: 'written', stamp: written } : { outcome: 'older', stamp: current };
  }
  // A writer who names the state has seen it, so the phones' clocks do not decide between the two.
  const latest = recordedAt > current.recordedAt ? recordedAt : current.recordedAt;
  return { outcome: 'written', stamp: { ...written, recordedAt: latest } };
}

function believed(stored: Stamp, now: Date): Stamp {
  const { recordedAt } = stored;
  const isPast = isTime(recordedAt) && !isToCome(recordedAt, now);
  return { ...stored, recordedAt: isPast ? recordedAt : '', revision: revisionOf(stored.revision) };
}

/** A write without a stated time is the same whenever it arrives. Two deletions are the same. */
function isSame(current: Stamp, { fingerprint, isDeleted, statedAt }: Incoming): boolean {
  const isEqual = current.isDeleted === isDeleted && (isDeleted || current.fingerprint === fingerprint);
  return isEqual && (statedAt === null || statedAt === current.statedAt);
}

/** One of two writes is always later, in whichever order they arrive. At the same instant a deletion is later; otherwise the fingerprints decide. */
function isLater(one: Stamp, other: Stamp): boolean {
  if (one.recordedAt !== other.recordedAt) return one.recordedAt > other.recordedAt;
  if (one.isDeleted !== other.isDeleted) return one.isDeleted;
  return one.fingerprint > other.fingerprint;
}

/** What the writer is told: `superseded` if a write that was recorded later stays, and the answer shows that one. */
export function outcomeOf(outcome: 'written' | 'same' | 'older'): 'stored' | 'superseded' {
  return outcome === 'older' ? 'superseded' : 'stored';
}

/** With its quotes, from the stamp's `revision`. */
export function etagOf({ revision }: Pick<Stamp, 'revision'>): string {
  return `"${revisionOf(revision)}"`;
}

/** RFC 9110 section 13.1.1; a tombstone is no current representation. */
export function names(ifMatch: string, current: Pick<Stamp, 'revision' | 'isDeleted'>): boolean {
  if (current.isDeleted) return false;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return tags.includes('*') || tags.includes(etagOf(current));
}
