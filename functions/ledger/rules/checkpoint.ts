import { createHash } from 'node:crypto';
import { canonicalText } from './canonical.ts';
import { merkleRoot } from './merkle.ts';

/** What is signed once an hour and laid where nobody can remove it. */
export type Checkpoint = {
  /** From 1, without gaps. */
  readonly number: number;
  readonly environment: string;
  /** Real time, ISO 8601: when the reading of the pointers began. What was committed before it is in this checkpoint. */
  readonly at: string;
  readonly chains: number;
  /** All chains' records together. */
  readonly records: number;
  /** Of the tree over the shards' roots, which is at `treeKey(root)`. */
  readonly root: string;
  /** The root over the leaves that the checkpoint before this one did not have; null where it is the first. */
  readonly changes: string | null;
  /** Shards that are as the checkpoint before had them, since more changed than one object holds. */
  readonly deferred: readonly string[];
  /** The SHA-256 (hex) of the checkpoint before this one, as it lies there; null where it is the first. */
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

/** Everything but checkpoints is named by its content: what does not change is not written again. */
export const checkpointsPrefix = 'ledger/checkpoints/';
export const checkpointKey = (number: number) => `${checkpointsPrefix}${String(number).padStart(10, '0')}.jws`;
export const treeKey = (root: string) => `ledger/trees/${root}.json`;
export const shardKey = (root: string) => `ledger/shards/${root}.jsonl.gz`;
export const changesKey = (root: string) => `ledger/changes/${root}.jsonl.gz`;

/** What was brought in from another system: a signed manifest, and beside it the leaves that it is about. */
export const manifestsPrefix = 'imports/';
export const manifestKey = (root: string) => `${manifestsPrefix}${root}.jws`;
export const importedKey = (root: string) => `${manifestsPrefix}${root}.jsonl.gz`;
export const manifestType = 'consent-import+jwt';

/** What is signed when the chains of an erased user are released. */
export const tombstoneKey = (userId: string) => `tombstones/${userId}.jws`;
/** Laid when the erasure begins that a tombstone follows from, so that S3 dates it. */
export const begunKey = (userId: string, requestedAt: string) => `${begunBelow(userId)}${requestedAt}.begun.json`;
/** What the user asked, as the function of that request laid it: S3 dates it. */
export const requestKey = (userId: string, requestedAt: string) => `erasure-requests/${userId}/${requestedAt}.json`;
export const begunBelow = (userId: string) => `erasure-begun/${userId}/`;
export const tombstoneType = 'ledger-tombstone+jwt';
/** An operator's statement that one of the tombstones of a user, by its SHA-256, counts for nothing. */
export const tombstoneRevocationsBelow = (userId: string) => `tombstone-revocations/${userId}/`;
export const tombstoneRevocationType = 'tombstone-revocation+jwt';
/** It names every chain of its user: a hundred agreements are some twenty thousand characters. */
export const longestTombstone = 1_000_000;

/** @returns the number in a key; null for what is no checkpoint's */
export function numberIn(key: string): number | null {
  const [, digits] = /^ledger\/checkpoints\/(\d{10})\.jws$/.exec(key) ?? [];
  return digits === undefined ? null : Number(digits);
}

/** @returns the payload as a checkpoint; null where it is none */
export function readCheckpoint(payload: Readonly<Record<string, unknown>>): Checkpoint | null {
  const { number, environment, at, chains, records, root, changes, deferred, previous } = payload;
  const isNumbers = [number, chains, records].every((value) => Number.isSafeInteger(value));
  const isTexts = [environment, at, root].every((value) => typeof value === 'string');
  const isHashes = [changes, previous].every((value) => value === null || typeof value === 'string');
  const isShards = Array.isArray(deferred) && deferred.every((shard) => typeof shard === 'string');
  return isNumbers && isTexts && isHashes && isShards ? (payload as unknown as Checkpoint) : null;
}
