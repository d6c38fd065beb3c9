import type { Anchor } from './anchor.ts';
import { type Finding, type FindingKind, findingOf, type StoredPointer, type StoredRecord } from './finding.ts';

/** What a signed tombstone says of one chain of an erased user: how it ended, and from when its records may be gone. */
export type Ending = {
  readonly agreementId: string;
  readonly lastSequence: number;
  readonly lastHash: string;
  /** ISO 8601. */
  readonly releasedAt: string;
  /** The one time at which its records expire, ISO 8601; null where it says none. */
  readonly recordsExpireAt: string | null;
};

/** An ending, and when S3 was given what demanded it: the beginning of the user's erasure. Null where it never was. */
export type DemandedEnding = Ending & { readonly demandedAt: string | null };

/** @returns what the tombstone's payload says of the agreement; null where that is nothing that could be relied on */
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

/** TTL deletes record by record, in no order, and the pointer goes on its own. */
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

/** @returns what the tombstone does not explain, and what contradicts it */
export function afterErasure(
  userAgreement: string,
  ending: DemandedEnding,
  findings: readonly Finding[],
  { records, pointer, anchors, retentionYears }: Rest,
): Finding[] {
  const { lastSequence, lastHash } = ending;
  const { demandedAt, releasedAt } = ending;
  // Whoever had it signed without an erasure, or before its time, has explained nothing.
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

/** Whether an erasure began, by S3's date, so long before the release. */
export function isDemanded({ demandedAt, releasedAt }: DemandedEnding, retentionYears: number): boolean {
  return demandedAt !== null && Date.parse(demandedAt) <= yearsBefore(releasedAt, retentionYears);
}

/**
 * A change may be in a checkpoint some time after it was made: scans take minutes, and many changes at once are spread over
 * several checkpoints.
 */
const toldWithinMs = 86_400_000;

/**
 * A user decides nothing after the erasure, and what a user decided stays for the retention after it: a chain that still
 * changed within that time before its release was not released by the rules. Only what is signed is asked.
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
