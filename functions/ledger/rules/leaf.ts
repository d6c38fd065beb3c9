import { createHash } from 'node:crypto';
import { partitionOf } from '../../consents/rules.ts';
import { canonicalText } from './canonical.ts';
import { isChainName, type StoredPointer } from './finding.ts';

/** What a checkpoint says about one chain: it had at least this record, with this hash. */
export type Leaf = { readonly userAgreement: string; readonly sequence: number; readonly hash: string };

/** Nobody decides so often about one agreement. The sum of four million chains of this length is still an exact number. */
const mostRecords = 1_000_000_000;

/** @returns the leaf of a pointer; null if a checkpoint could not sign it, because an attacker may have written anything */
export function leafOf({ userId, agreementId, sequence, hash }: StoredPointer): Leaf | null {
  if (typeof userId !== 'string' || typeof agreementId !== 'string') return null;
  return leafIn({ userAgreement: partitionOf({ userId, agreementId }), sequence, hash });
}

function leafIn({ userAgreement, sequence, hash }: Readonly<Record<keyof Leaf, unknown>>): Leaf | null {
  if (typeof userAgreement !== 'string' || !isChainName(userAgreement)) return null;
  if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) return null;
  if (typeof sequence !== 'number' || !Number.isInteger(sequence)) return null;
  return sequence >= 1 && sequence <= mostRecords ? { userAgreement, sequence, hash } : null;
}

/** The canonical JSON (RFC 8785): a leaf of the tree, and a line of a shard's file. */
export function leafText({ userAgreement, sequence, hash }: Leaf): string {
  return canonicalText({ userAgreement, sequence, hash });
}

/** @throws an Error if the text is not a leaf */
export function readLeaf(text: string): Leaf {
  const leaf = leafIn(JSON.parse(text));
  if (!leaf) throw new Error('a line is no leaf of a checkpoint');
  return leaf;
}

/** One of 256 shards: chains are distributed by hash, so the files have about equal sizes. */
export const shards: readonly string[] = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'));

export function shardOf(userAgreement: string): string {
  return createHash('sha256').update(userAgreement).digest('hex').slice(0, 2);
}

/** The order of leaves. */
export function byKey(one: Leaf, other: Leaf): number {
  return one.userAgreement < other.userAgreement ? -1 : one.userAgreement > other.userAgreement ? 1 : 0;
}
