import { listVersions, type Objects, readObject } from '../../../lib/runtime/objects.ts';
import { readSigned, type TrustedKeys } from '../../../lib/runtime/signed.ts';
import type { Anchor } from '../rules/anchor.ts';
import {
  type Checkpoint,
  changesKey,
  checkpointsPrefix,
  checkpointType,
  digestOf,
  isDatedBy,
  numberIn,
  readCheckpoint,
  shardKey,
  type Tree,
  treeKey,
} from '../rules/checkpoint.ts';
import type { Finding, FindingKind } from '../rules/finding.ts';
import { type Leaf, readLeaf, shardOf, shards } from '../rules/leaf.ts';
import { readChanges, readShard, readTree } from '../stores/evidence.ts';

/** Everything that checkpoints ever said about chains, as far as it is proved. */
export type Anchors = {
  /** Null if there is no checkpoint. */
  readonly newest: Checkpoint | null;
  /** All chains as in the first and the newest checkpoint. */
  readonly snapshots: readonly { readonly checkpoint: number; readonly at: string; readonly tree: Tree }[];
  /** When a checkpoint last read a shard's chains; absent if none did. */
  readonly lookedAt: ReadonlyMap<string, string>;
  /** When the reading of each checkpoint began, and the shards that it did not read; oldest first. */
  readonly readings: readonly Pick<Checkpoint, 'at' | 'deferred'>[];
  readonly count: number;
};

type Reading = {
  readonly evidence: Objects;
  readonly keys: TrustedKeys;
  readonly environment: string;
  /** The newest checkpoint must be later than this time; absent: any time is accepted. */
  readonly freshSince?: Date;
  readonly found: (finding: Finding) => void;
  /** A leaf that was new in a checkpoint. */
  readonly onLeaf: (leaf: Anchor) => void;
};

/**
 * Follows the chain of checkpoints from the first on: numbers without gaps, each signed, each over the digest of the one
 * before it. If a forger waits until the next checkpoint signs the forgery, that checkpoint contradicts the one before.
 * So every checkpoint counts, and not only the newest.
 */
export async function readAnchors(reading: Reading): Promise<Anchors> {
  const { evidence } = reading;
  let before: Before = { number: 0, digests: [], at: '' };
  let first: Checkpoint | null = null;
  let newest: Checkpoint | null = null;
  let count = 0;
  const lookedAt = new Map<string, string>();
  const readings: Pick<Checkpoint, 'at' | 'deferred'>[] = [];
  for await (const { key, versions, markers } of listVersions(evidence, checkpointsPrefix)) {
    const number = numberIn(key);
    const tell = (kind: FindingKind, says: string) => reading.found(aboutEvidence(kind, `${key}: ${says}`));
    const [oldest] = versions;
    if (number === null || !oldest) continue;
    if (versions.length > 1 || markers > 0)
      tell('checkpoint-rewritten', 'it was overwritten or deleted; its oldest version is used');
    if (number !== before.number + 1)
      tell('checkpoint-missing', `checkpoint ${before.number + 1} is not there before it`);
    const text = (await readObject(evidence, key, { versionId: oldest.id }))?.toString('utf8') ?? '';
    const checkpoint = readCheckpoint(readSigned(text, checkpointType, reading.keys)?.payload ?? {});
    const wrong = !checkpoint
      ? 'it is not a checkpoint that a trusted key has signed'
      : reasonAgainst(checkpoint, { ...before, number, environment: reading.environment, storedAt: oldest.storedAt });
    if (wrong) tell('checkpoint-invalid', wrong);
    if (checkpoint && !wrong) {
      count += 1;
      first ??= checkpoint;
      newest = checkpoint;
      await spoolChanges(reading, checkpoint, lookedAt, tell);
      readings.push({ at: checkpoint.at, deferred: checkpoint.deferred });
      for (const shard of shards) if (!checkpoint.deferred.includes(shard)) lookedAt.set(shard, checkpoint.at);
    }
    // The next checkpoint may have skipped this object, or may follow it if only its key is not trusted here: both digests are accepted.
    before =
      checkpoint && !wrong
        ? { number, digests: [digestOf(text)], at: checkpoint.at }
        : { ...before, number, digests: [...before.digests, digestOf(text)] };
  }
  tellStale(newest, reading);
  const snapshots = [];
  for (const checkpoint of new Set([first, newest])) {
    const tree = checkpoint && (await treeOf(reading, checkpoint));
    if (tree) snapshots.push({ checkpoint: checkpoint.number, at: checkpoint.at, tree });
  }
  return { newest, snapshots, lookedAt, readings, count };
}

/** An attacker who prevents checkpoints can rewrite everything since the last one. */
function tellStale(newest: Checkpoint | null, { freshSince, found }: Reading): void {
  if (!newest || !freshSince || newest.at >= freshSince.toISOString()) return;
  found(aboutEvidence('checkpoint-stale', `the newest checkpoint is of ${newest.at}: none has been written since`));
}

/** `digests`: of the last valid checkpoint, and of the objects that were skipped since. */
type Before = { readonly number: number; readonly digests: readonly string[]; readonly at: string };
type Expected = Before & { readonly environment: string; readonly storedAt: Date };

function reasonAgainst(checkpoint: Checkpoint, expected: Expected): string | null {
  const { number, digests, at, environment, storedAt } = expected;
  if (checkpoint.environment !== environment) return `it is a checkpoint of ${checkpoint.environment}`;
  if (checkpoint.number !== number) return `it says that it is number ${checkpoint.number}`;
  // Missing checkpoints are reported; the first one that exists needs no predecessor.
  const isFirst = checkpoint.previous === null && at === '';
  const follows = isFirst || digests.length === 0 || digests.includes(checkpoint.previous ?? '');
  if (!follows) return 'it does not follow the checkpoint before it';
  if (!isDatedBy(checkpoint, storedAt)) return 'it is dated later than it was stored';
  if (checkpoint.at < at) return 'it is older than the checkpoint before it';
  if (!isFirst && checkpoint.changes === null) return 'it does not say what changed';
  return null;
}

async function spoolChanges(
  { evidence, onLeaf }: Reading,
  { number, at, changes }: Checkpoint,
  lookedAt: ReadonlyMap<string, string>,
  tell: (kind: FindingKind, says: string) => void,
): Promise<void> {
  if (changes === null) return;
  const texts = await readChanges(evidence, changes);
  if (!texts)
    tell('evidence-missing', `what it added (${changesKey(changes)}) is missing, or differs from what was signed`);
  else {
    for (const leaf of texts.map(readLeaf)) {
      const since = lookedAt.get(shardOf(leaf.userAgreement));
      onLeaf({ ...leaf, checkpoint: number, at, ...(since !== undefined && { since }) });
    }
  }
}

async function treeOf({ evidence, found }: Reading, { number, root }: Checkpoint): Promise<Tree | null> {
  const tree = await readTree(evidence, root);
  if (!tree) {
    const says = `the tree of checkpoint ${number} (${treeKey(root)}) is missing, or differs from what was signed`;
    found(aboutEvidence('evidence-missing', says));
  }
  return tree;
}

/** @returns the leaves of a shard; none if they differ from what was signed, which is reported */
export async function readShardLeaves(
  evidence: Objects,
  root: string,
  found: (finding: Finding) => void,
): Promise<Leaf[]> {
  const texts = await readShard(evidence, root);
  if (texts) return texts.map(readLeaf);
  found(aboutEvidence('evidence-missing', `the shard ${shardKey(root)} is missing, or differs from what was signed`));
  return [];
}

function aboutEvidence(kind: FindingKind, says: string): Finding {
  return { kind, userId: null, agreementId: null, recordedAt: null, sequence: null, says };
}
