import { createHash } from 'node:crypto';
import { isTime, isToCome } from '../../../lib/contract/instant.ts';
import { canonicalText } from './canonical.ts';
import { merkleRoot } from './merkle.ts';

/** The statement that is signed once an hour and stored where nobody can remove it. */
export type Checkpoint = {
  /** From 1, without gaps. */
  readonly number: number;
  readonly environment: string;
  /** Real time, ISO 8601: when the reading of the pointers began. Everything that was committed before is in this checkpoint. */
  readonly at: string;
  readonly chains: number;
  /** The number of records in all chains. */
  readonly records: number;
  /** The root of the tree over the shards' roots; the tree is at `treeKey(root)`. */
  readonly root: string;
  /** The root over the leaves that the previous checkpoint did not have; null for the first checkpoint. */
  readonly changes: string | null;
  /** Shards that are copied from the previous checkpoint, because more leaves changed than one object can hold. */
  readonly deferred: readonly string[];
  /** The SHA-256 (hex) of the stored previous checkpoint; null for the first checkpoint. */
  readonly previous: string | null;
};

export const checkpointType = 'ledger-checkpoint+jwt';

/** Roots of the shards that are not empty, by their names. */
export type Tree = Readonly<Record<string, string>>;

export function treeRoot(tree: Tree): string {
  const leaves = Object.keys(tree)
    .toSorted()
    .map((shard) => canonicalText({ shard, root: tree[shard] }));
  return merkleRoot(leaves);
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** All objects except checkpoints are named by their content: unchanged content is not written again. */
export const checkpointsPrefix = 'ledger/checkpoints/';
export const checkpointKey = (number: number) => `${checkpointsPrefix}${String(number).padStart(10, '0')}.jws`;
export const treeKey = (root: string) => `ledger/trees/${root}.json`;
export const shardKey = (root: string) => `ledger/shards/${root}.jsonl.gz`;
export const changesKey = (root: string) => `ledger/changes/${root}.jsonl.gz`;

/** Imports from another system: a signed manifest, and the leaves that it is about. */
export const manifestsPrefix = 'imports/';
export const manifestKey = (root: string) => `${manifestsPrefix}${root}.jws`;
export const importedKey = (root: string) => `${manifestsPrefix}${root}.jsonl.gz`;
export const manifestType = 'consent-import+jwt';

/** @returns the number in a key; null if the key is not a checkpoint's */
export function numberIn(key: string): number | null {
  const [, digits] = /^ledger\/checkpoints\/(\d{10})\.jws$/.exec(key) ?? [];
  return digits === undefined ? null : Number(digits);
}

/**
 * Whether it is of a time that had come when S3 stored it. Else one checkpoint of a far time would end all checkpoints, since
 * none may be older than the one before it.
 */
export function isDatedBy({ at }: Checkpoint, storedAt: Date): boolean {
  return !isToCome(at, storedAt);
}

/** @returns the payload as a checkpoint; null if it is not one */
export function readCheckpoint(payload: Readonly<Record<string, unknown>>): Checkpoint | null {
  const { number, environment, at, chains, records, root, changes, deferred, previous } = payload;
  const isNumbers = [number, chains, records].every((value) => Number.isSafeInteger(value));
  // Names of objects are made of them.
  const isHashes = isHash(root) && [changes, previous].every((value) => value === null || isHash(value));
  const isShards = Array.isArray(deferred) && deferred.every((shard) => typeof shard === 'string');
  return isNumbers && typeof environment === 'string' && isTime(at) && isHashes && isShards
    ? (payload as unknown as Checkpoint)
    : null;
}

/** A SHA-256, in hex. */
export function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}
