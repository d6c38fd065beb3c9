import type { Anchor } from './anchor.ts';
import { type Finding, type FindingKind, findingOf, type StoredPointer, type StoredRecord } from './finding.ts';

/** What a signed tombstone says of one chain of an erased user: how it ended, and from when its records may be gone. */
export type Ending = {
  readonly agreementId: string;
  readonly lastSequence: number;
  readonly lastHash: string;
  /** ISO 8601. */
  readonly releasedAt: string;
};

/** @returns what the tombstone's payload says of the agreement; null where that is nothing that could be relied on */
export function endingIn(
  payload: Readonly<Record<string, unknown>>,
  userId: string,
  agreementId: string,
): Ending | null {
  const { chains, releasedAt } = payload;
  if (payload.userId !== userId || typeof releasedAt !== 'string' || !Array.isArray(chains)) return null;
  const chain = chains.find((one) => Object(one).agreementId === agreementId);
  const { lastSequence, lastHash } = Object(chain) as Record<string, unknown>;
  if (typeof lastSequence !== 'number' || typeof lastHash !== 'string') return null;
  return { agreementId, lastSequence, lastHash, releasedAt };
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
};

/** @returns what the tombstone does not explain, and what contradicts it */
export function afterErasure(
  userAgreement: string,
  { lastSequence, lastHash }: Ending,
  findings: readonly Finding[],
  { records, pointer, anchors }: Rest,
): Finding[] {
  const ends = [...records, ...anchors].filter(({ sequence }) => Number(sequence) >= lastSequence);
  const wrong = [...ends, ...(pointer ? [pointer] : [])].find(
    ({ sequence, hash }) => sequence !== lastSequence || hash !== lastHash,
  );
  const says = `the tombstone ends this chain with record ${lastSequence}, ${lastHash}, and this is none of it`;
  return [
    ...findings.filter(({ kind }) => !excusable.includes(kind)),
    ...(wrong ? [findingOf('tombstone-contradicted', userAgreement, wrong, says)] : []),
  ];
}
