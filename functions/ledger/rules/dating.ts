import type { Anchor } from './anchor.ts';
import { type Finding, findingOf, type StoredRecord } from './finding.ts';

/**
 * When a record may be of. Who appends dates what is appended, so that a date proves nothing by itself; but what no checkpoint
 * had yet cannot be older than the last one that looked, by more than the clocks and one request's duration. Nor can what a
 * checkpoint has be later than that checkpoint.
 */

/** Granted between the clock that dates a record and its commit: a request ends within 30 s, and hosts keep time within seconds. */
export const skewMs = 5 * 60_000;

/** A checkpoint says when its reading began; what is committed until it ends may be in it: a function's fifteen minutes at most. */
export const longestReadingMs = 15 * 60_000;

/** What is known of a chain from outside the tables. */
export type Dating = {
  /** Everything that checkpoints ever said of the chain, repeats included. */
  readonly anchors: readonly Anchor[];
  /** When the last checkpoint looked at the chain; null where there is none. */
  readonly lookedAt: string | null;
  /** The real time of the check: what no checkpoint has yet cannot be later. ISO 8601. */
  readonly checkedAt: string;
  /** `placeOf` each record that a signed manifest of an import names. */
  readonly imported: ReadonlySet<string>;
  /** The time machine moved the clock that dates records: then their dates are no matter for a check. */
  readonly movedClock: boolean;
};

export type Dated = {
  readonly sequence: number;
  readonly hash: string;
  readonly recordedAt: string;
  readonly isImported: boolean;
};

/** Names a record of a chain as a manifest does. */
export function placeOf({ sequence, hash }: { readonly sequence: number; readonly hash: string }): string {
  return `${sequence} ${hash}`;
}

export function checkDates(userAgreement: string, records: readonly StoredRecord[], dating: Dating): Finding[] {
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
  // An import dates its records by what another system says: for that somebody has signed. Of others a manifest says nothing.
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

/** The time of the last checkpoint that did not have the record; null where the very first one had it. */
function notBefore({ sequence }: Dated, { anchors, lookedAt }: Dating): string | null {
  const covering = anchors.filter((anchor) => anchor.sequence >= sequence);
  if (covering.length === 0) return lookedAt;
  const first = Math.min(...covering.map(({ checkpoint }) => checkpoint));
  return covering.find(({ checkpoint, since }) => checkpoint === first && since !== undefined)?.since ?? null;
}

/** When the first checkpoint that has the record had been read at the latest; where none has it, now. */
function notAfter({ sequence }: Dated, { anchors, checkedAt }: Dating): string {
  const read = anchors
    .filter((anchor) => anchor.sequence >= sequence)
    .flatMap(({ at }) => (at === undefined ? [] : [Date.parse(at) + longestReadingMs]));
  return read.length === 0 ? checkedAt : new Date(Math.min(...read, Date.parse(checkedAt))).toISOString();
}
