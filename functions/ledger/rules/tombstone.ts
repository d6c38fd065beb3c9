import type { Anchor } from './anchor.ts';
import { type Finding, type FindingKind, findingOf, type StoredPointer, type StoredRecord } from './finding.ts';

/** What a signed tombstone says about one chain of an erased user: its last record, and from when its records may be missing. */
export type Ending = {
  readonly agreementId: string;
  readonly lastSequence: number;
  readonly lastHash: string;
  /** ISO 8601. */
  readonly releasedAt: string;
  /** The time at which all its records expire, ISO 8601; null if it names none. */
  readonly recordsExpireAt: string | null;
};

/** An ending, and when S3 received its reason: the beginning of the user's erasure. Null if S3 never received it. */
export type DemandedEnding = Ending & { readonly demandedAt: string | null };

/** @returns what the tombstone's payload says about the agreement; null if it is not usable */
export function endingIn(
  payload: Readonly<Record<string, unknown>>,
  userId: string,
  agreementId: string,
): Ending | null {
  const { chains, releasedAt, recordsExpireAt } = payload;
  if (payload.userId !== userId || typeof releasedAt !== 'string' || !Array.isArray(chains)) return null;
  const chain = chains.find((one) => Object(one).agreementId === agreementId);
  const { lastSequence, lastHash } = Object(chain) as Record<string, unknown>;
  if (typeof lastSequence !== 'number' || typeof lastHash !== 'string') return null;
  const expiry = typeof recordsExpireAt === 'string' ? recordsExpireAt : null;
  return { agreementId, lastSequence, lastHash, releasedAt, recordsExpireAt: expiry };
}

/** TTL deletes the records one by one, in any order, and the pointer separately. */
const excusable: readonly FindingKind[] = [
  'record-missing',
  'record-expires',
  'pointer-missing',
  'pointer-ahead',
  'anchored-record-missing',
];

type Rest = {
  readonly records: readonly StoredRecord[];
  readonly pointer: StoredPointer | null;
  readonly anchors: readonly Anchor[];
  readonly retentionYears: number;
};

/** @returns the findings that the tombstone does not explain, and those that contradict it */
export function afterErasure(
  userAgreement: string,
  ending: DemandedEnding,
  findings: readonly Finding[],
  { records, pointer, anchors, retentionYears }: Rest,
): Finding[] {
  const { lastSequence, lastHash } = ending;
  const { demandedAt, releasedAt } = ending;
  // A tombstone without an erasure, or before its time, explains nothing.
  if (!isDemanded(ending, retentionYears)) {
    const said = demandedAt === null ? 'nothing shows that an erasure began' : `the erasure began at ${demandedAt}`;
    const says = `the tombstone releases this chain at ${releasedAt}, but ${said}: that is less than ${retentionYears} years earlier`;
    return [...findings, findingOf('tombstone-contradicted', userAgreement, {}, says)];
  }
  const early = earlyBy(ending, anchors, retentionYears);
  if (early) return [...findings, findingOf('tombstone-contradicted', userAgreement, early.anchor, early.says)];
  const ends = [...records, ...anchors].filter(({ sequence }) => Number(sequence) >= lastSequence);
  const wrong = [...ends, ...(pointer ? [pointer] : [])].find(
    ({ sequence, hash }) => sequence !== lastSequence || hash !== lastHash,
  );
  const says = `the tombstone ends this chain with record ${lastSequence}, ${lastHash}, and this record is not part of that chain`;
  return [
    ...findings.filter(({ kind }) => !excusable.includes(kind)),
    ...(wrong ? [findingOf('tombstone-contradicted', userAgreement, wrong, says)] : []),
  ];
}

/** Whether an erasure began long enough before the release, by S3's date. */
export function isDemanded({ demandedAt, releasedAt }: DemandedEnding, retentionYears: number): boolean {
  return demandedAt !== null && Date.parse(demandedAt) <= yearsBefore(releasedAt, retentionYears);
}

/**
 * A change may be in a checkpoint some time after it was made: scans take minutes, and many changes at once are spread over
 * several checkpoints.
 */
const toldWithinMs = 86_400_000;

/**
 * After the erasure a user changes nothing, and the records stay for the retention period. So a chain that still
 * changed within this period before its release was not released by our rules. Only signed data count for this.
 */
function earlyBy({ releasedAt }: Ending, anchors: readonly Anchor[], retentionYears: number) {
  const erasedBy = yearsBefore(releasedAt, retentionYears);
  const anchor = anchors.find(({ since }) => Date.parse(since ?? '') - toldWithinMs > erasedBy);
  if (!anchor) return null;
  const { checkpoint, since } = anchor;
  const says = `the tombstone releases this chain at ${releasedAt}, but the chain still changed between the checkpoint of ${since} and checkpoint ${checkpoint}: that is less than ${retentionYears} years earlier`;
  return { anchor, says };
}

function yearsBefore(time: string, years: number): number {
  const date = new Date(time);
  date.setUTCFullYear(date.getUTCFullYear() - years);
  return date.getTime();
}
