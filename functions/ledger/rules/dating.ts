import { skewMs } from '../../evidence/rules.ts';
import type { Anchor } from './anchor.ts';
import { type Finding, findingOf, type StoredRecord } from './finding.ts';
import type { Leaf } from './leaf.ts';

/**
 * The dates that a record may have. The function that appends a record also dates it, so a date proves nothing by
 * itself. But a record that no checkpoint has yet cannot be older than the last checkpoint that read its chain, except
 * for the difference of clocks and the duration of a request. And a record in a checkpoint cannot be later than that
 * checkpoint.
 */

/**
 * A checkpoint says when its reading began. Records that are committed until the reading ends may be in it: at most a
 * function's fifteen minutes.
 */
const longestReadingMs = 15 * 60_000;

/**
 * The head of a chain, as a pointer showed it that somebody overwrote: S3 dates the evidence of that. `since`: when the last
 * checkpoint before it had read the chain; null if there was none. Later checkpoints did not see the head.
 */
export type Witness = Leaf & { readonly since: string | null };

/** What is known about a chain from outside the tables. */
export type Dating = {
  /** Everything that checkpoints ever said about the chain, including repetitions. */
  readonly anchors: readonly Anchor[];
  readonly witnesses: readonly Witness[];
  /** When the last checkpoint read the chain; null if there is none. */
  readonly lookedAt: string | null;
  /** The real time of the check: a record that no checkpoint has yet cannot be later. ISO 8601. */
  readonly checkedAt: string;
  /** `placeOf` each record that a signed manifest of an import names. */
  readonly imported: ReadonlySet<string>;
  /** The time machine moved the clock that dates records: then their dates are not checked. */
  readonly movedClock: boolean;
};

export type Dated = {
  readonly sequence: number;
  readonly hash: string;
  readonly recordedAt: string;
  readonly isImported: boolean;
};

/** Names a record of a chain like a manifest. */
export function placeOf({ sequence, hash }: { readonly sequence: number; readonly hash: string }): string {
  return `${sequence} ${hash}`;
}

/**
 * A leaf proves records of this chain if the chain has it. Otherwise the checkpoint signed a pointer that somebody forged, which is a
 * finding of its own, and says nothing about when genuine records of these numbers came.
 */
export function provedIn(records: readonly Pick<Dated, 'sequence' | 'hash'>[], dating: Dating): Dating {
  const places = new Set(records.map(placeOf));
  const isOfChain = (leaf: Leaf) => places.has(placeOf(leaf));
  return { ...dating, anchors: dating.anchors.filter(isOfChain), witnesses: dating.witnesses.filter(isOfChain) };
}

export function checkDates(userAgreement: string, records: readonly StoredRecord[], known: Dating): Finding[] {
  const dating = provedIn(records.map(datedIn), known);
  return records.flatMap((record) => {
    const says = misdating(datedIn(record), dating);
    return says ? [findingOf(says.kind, userAgreement, record, says.says)] : [];
  });
}

export function datedIn({ sequence, hash, recordedAt, source }: StoredRecord): Dated {
  const isImported = source === 'imported';
  return { sequence: Number(sequence), hash: String(hash), recordedAt: String(recordedAt), isImported };
}

/** @returns what is wrong with a record's date; null if nothing is, or if it cannot be judged */
export function misdating(record: Dated, dating: Dating): { kind: Finding['kind']; says: string } | null {
  // An imported record has the date of another system, and an operator has signed for it. A manifest proves nothing about
  // other records.
  if (record.isImported && !dating.imported.has(placeOf(record))) {
    return { kind: 'import-unsigned', says: 'it says that it was imported, but no signed manifest names it' };
  }
  if (dating.movedClock) return null;
  const until = notAfter(record, dating);
  if (Date.parse(record.recordedAt) > Date.parse(until) + skewMs) {
    const says = `it says that it was recorded at ${record.recordedAt}, but it existed at ${until}`;
    return { kind: 'record-postdated', says };
  }
  if (record.isImported) return null;
  const since = notBefore(record, dating);
  if (since === null || !(Date.parse(record.recordedAt) < Date.parse(since) - skewMs)) return null;
  const says = `it says that it was recorded at ${record.recordedAt}, but the checkpoint of ${since} did not have it yet`;
  return { kind: 'record-backdated', says };
}

/** The time of the last checkpoint without the record, as far as its pointer was not overwritten; null if the first checkpoint has it. */
function notBefore(record: Dated, dating: Dating): string | null {
  const since = missedAt(record, dating);
  const witnessed = dating.witnesses.filter(({ sequence }) => sequence >= record.sequence).map((one) => one.since);
  if (since === null || witnessed.includes(null)) return null;
  return [since, ...witnessed.filter((one) => one !== null)].toSorted()[0] ?? null;
}

function missedAt({ sequence }: Dated, { anchors, lookedAt }: Dating): string | null {
  const covering = anchors.filter((anchor) => anchor.sequence >= sequence);
  if (covering.length === 0) return lookedAt;
  const first = Math.min(...covering.map(({ checkpoint }) => checkpoint));
  return covering.find(({ checkpoint, since }) => checkpoint === first && since !== undefined)?.since ?? null;
}

/** The latest possible end of the reading for the first checkpoint with the record; the present time if none has it. */
function notAfter({ sequence }: Dated, { anchors, checkedAt }: Dating): string {
  const read = anchors
    .filter((anchor) => anchor.sequence >= sequence)
    .flatMap(({ at }) => (at === undefined ? [] : [Date.parse(at) + longestReadingMs]));
  return read.length === 0 ? checkedAt : new Date(Math.min(...read, Date.parse(checkedAt))).toISOString();
}
