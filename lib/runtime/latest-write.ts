/**
 * What is written on several phones, some of which were without network: the write that was recorded last stays, whichever
 * arrives last. A deletion is a write, too, and leaves a tombstone, so that an older write does not bring the thing back.
 * Pure.
 */

/** What a row carries of its last write. */
export type Stamp = {
  /** When the person wrote it; never later than its arrival, so that a wrong clock does not win for ever. */
  readonly recordedAt: string;
  /** As the phone stated it, or null: by it the same write is known again. */
  readonly statedAt: string | null;
  /** When it arrived. */
  readonly updatedAt: string;
  /** When that was recorded which it replaced. */
  readonly replacedAt: string | null;
  /** Counts the writes, from 1; the `ETag` is made of it. */
  readonly revision: number;
  /** Of what was written. */
  readonly fingerprint: string;
  readonly isDeleted: boolean;
};

export type Incoming = {
  readonly statedAt: string | null;
  readonly fingerprint: string;
  readonly isDeleted: boolean;
  /** The header as it came. */
  readonly ifMatch: string | undefined;
};

/**
 * `written`: it stays, with this stamp. `same`: it is there already. `older`: what is there was recorded later and stays.
 * `refused`: `If-Match` names another state.
 */
export type Verdict =
  | { readonly outcome: 'written' | 'same' | 'older'; readonly stamp: Stamp }
  | { readonly outcome: 'refused' };

export function verdictOn(current: Stamp | null, incoming: Incoming, now: Date): Verdict {
  const { statedAt, fingerprint, isDeleted, ifMatch } = incoming;
  // Before If-Match: a repetition, whose first answer was lost, names the state before it.
  if (current && isSame(current, incoming)) return { outcome: 'same', stamp: current };
  if (ifMatch !== undefined && !(current && names(ifMatch, current))) return { outcome: 'refused' };
  const updatedAt = now.toISOString();
  const recordedAt = statedAt !== null && statedAt < updatedAt ? statedAt : updatedAt;
  const written: Stamp = {
    recordedAt,
    statedAt,
    updatedAt,
    replacedAt: current?.recordedAt ?? null,
    revision: (current?.revision ?? 0) + 1,
    fingerprint,
    isDeleted,
  };
  if (!current) return { outcome: 'written', stamp: written };
  if (ifMatch === undefined) {
    return isLater(written, current) ? { outcome: 'written', stamp: written } : { outcome: 'older', stamp: current };
  }
  // Who names the state has seen it: what the phone's clock says of the two does not count.
  const latest = recordedAt > current.recordedAt ? recordedAt : current.recordedAt;
  return { outcome: 'written', stamp: { ...written, recordedAt: latest } };
}

/** What states no time is the same whenever it comes; what is deleted is deleted. */
function isSame(current: Stamp, { fingerprint, isDeleted, statedAt }: Incoming): boolean {
  const isEqual = current.isDeleted === isDeleted && (isDeleted || current.fingerprint === fingerprint);
  return isEqual && (statedAt === null || statedAt === current.statedAt);
}

/** One of two is always later, whichever came first: of one instant a deletion, else what the fingerprints say. */
function isLater(one: Stamp, other: Stamp): boolean {
  if (one.recordedAt !== other.recordedAt) return one.recordedAt > other.recordedAt;
  if (one.isDeleted !== other.isDeleted) return one.isDeleted;
  return one.fingerprint > other.fingerprint;
}

/** Quotes and all, as `revision` of the stamp has it. */
export function etagOf({ revision }: Pick<Stamp, 'revision'>): string {
  return `"${revision}"`;
}

/** RFC 9110 section 13.1.1; a tombstone is no current representation. */
export function names(ifMatch: string, current: Pick<Stamp, 'revision' | 'isDeleted'>): boolean {
  if (current.isDeleted) return false;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return tags.includes('*') || tags.includes(etagOf(current));
}
