import { type Finding, findingOf, type StoredRecord } from './finding.ts';
import type { Leaf } from './leaf.ts';

/**
 * A leaf, and the checkpoint that proves it. `since`: when an earlier checkpoint last read the chain and did not find
 * the leaf yet (ISO 8601); absent if only the existence of the leaf is known. `at`: when that checkpoint's reading began.
 */
export type Anchor = Leaf & { readonly checkpoint: number; readonly since?: string; readonly at?: string };

/** The head of a chain at a checkpoint must stay in the chain for ever, with the same hash. */
export function checkAnchors(
  userAgreement: string,
  records: readonly StoredRecord[],
  anchors: readonly Anchor[],
): Finding[] {
  const bySequence = new Map(records.map((record) => [record.sequence, record]));
  return anchors.flatMap(({ sequence, hash, checkpoint }) => {
    const record = bySequence.get(sequence);
    if (record?.hash === hash) return [];
    const anchored = `checkpoint ${checkpoint} has record ${sequence} of this chain, with the hash ${hash}`;
    return record
      ? [findingOf('anchored-record-differs', userAgreement, record, `${anchored}; here it has ${record.hash}`)]
      : [findingOf('anchored-record-missing', userAgreement, { sequence }, `${anchored}; it is not there`)];
  });
}

/**
 * The first and the newest checkpoint say the same of many chains, and each also lists its own new leaves. Of equal
 * anchors only the last one is kept.
 */
export function distinctAnchors(anchors: readonly Anchor[]): Anchor[] {
  const sorted = anchors.toSorted((one, other) => ((one.since ?? '') < (other.since ?? '') ? -1 : 1));
  const distinct = new Map(sorted.map((anchor) => [`${anchor.sequence} ${anchor.hash}`, anchor]));
  return [...distinct.values()].toSorted((one, other) => one.sequence - other.sequence);
}
