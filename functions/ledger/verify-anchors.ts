import {
  type Checkpoint,
  changesKey,
  checkpointsPrefix,
  checkpointType,
  digestOf,
  numberIn,
  readCheckpoint,
  shardKey,
  type Tree,
  treeKey,
  treeRoot,
} from './checkpoint.ts';
import { type Evidence, readObject, unpackLeaves } from './evidence-store.ts';
import type { Finding, FindingKind } from './finding.ts';
import { type Leaf, readLeaf } from './leaf.ts';
import { merkleRoot } from './merkle.ts';
import { findVersion, listVersions, readSigned, type TrustedKeys } from './verify-evidence.ts';

/** Everything that checkpoints ever said of chains, as far as it is proved. */
export type Anchors = {
  /** Null where there is no checkpoint at all. */
  readonly newest: Checkpoint | null;
  /** All chains as the first and the newest one saw them. */
  readonly snapshots: readonly { readonly checkpoint: number; readonly tree: Tree }[];
  readonly count: number;
};

type Reading = {
  readonly evidence: Evidence;
  readonly keys: TrustedKeys;
  readonly environment: string;
  readonly found: (finding: Finding) => void;
  /** A leaf that was new in a checkpoint. */
  readonly onLeaf: (checkpoint: number, leaf: Leaf) => void;
};

/**
 * Follows the chain of checkpoints from the first on: numbers without gaps, each signed, each over the digest of the one
 * before it. What a forger who waits for the next checkpoint has signed is not what the one before said, so that every
 * checkpoint counts and not the newest alone.
 */
export async function readAnchors(reading: Reading): Promise<Anchors> {
  const { evidence } = reading;
  let before: { number: number; digest: string | null; at: string } = { number: 0, digest: null, at: '' };
  let first: Checkpoint | null = null;
  let newest: Checkpoint | null = null;
  let count = 0;
  for await (const { key, versionIds, markers } of listVersions(evidence, checkpointsPrefix)) {
    const number = numberIn(key);
    const tell = (kind: FindingKind, says: string) => reading.found(aboutEvidence(kind, `${key}: ${says}`));
    if (number === null || versionIds.length === 0) continue;
    if (versionIds.length > 1 || markers > 0)
      tell('checkpoint-rewritten', 'it was overwritten or deleted; its oldest version is taken');
    if (number !== before.number + 1)
      tell('checkpoint-missing', `checkpoint ${before.number + 1} is not there before it`);
    const text = (await readObject(evidence, key, versionIds[0]))?.toString('utf8') ?? '';
    const checkpoint = readCheckpoint(readSigned(text, checkpointType, reading.keys)?.payload ?? {});
    const wrong = !checkpoint
      ? 'it is no checkpoint that a trusted key has signed'
      : reasonAgainst(checkpoint, { ...before, number, environment: reading.environment });
    if (wrong) tell('checkpoint-invalid', wrong);
    if (checkpoint && !wrong) {
      count += 1;
      first ??= checkpoint;
      newest = checkpoint;
      await readChanges(reading, checkpoint, tell);
    }
    before = { number, digest: digestOf(text), at: checkpoint?.at ?? before.at };
  }
  const snapshots = [];
  for (const checkpoint of new Set([first, newest])) {
    const tree = checkpoint && (await readTree(reading, checkpoint));
    if (tree) snapshots.push({ checkpoint: checkpoint.number, tree });
  }
  return { newest, snapshots, count };
}

type Expected = { number: number; digest: string | null; at: string; environment: string };

function reasonAgainst(checkpoint: Checkpoint, { number, digest, at, environment }: Expected): string | null {
  if (checkpoint.environment !== environment) return `it is one of ${checkpoint.environment}`;
  if (checkpoint.number !== number) return `it says that it is number ${checkpoint.number}`;
  // Where checkpoints are missing, that is told; the first one that is there stands for itself.
  if (digest !== null && checkpoint.previous !== digest) return 'it does not follow the checkpoint before it';
  if (checkpoint.at < at) return 'it is older than the checkpoint before it';
  if (number > 1 && checkpoint.changes === null) return 'it does not say what changed';
  return null;
}

async function readChanges(
  { evidence, onLeaf }: Reading,
  { number, changes }: Checkpoint,
  tell: (kind: FindingKind, says: string) => void,
): Promise<void> {
  if (changes === null) return;
  const body = await findVersion(evidence, changesKey(changes), isLeavesOf(changes));
  if (!body) tell('evidence-missing', `what it added (${changesKey(changes)}) is not there as it was signed`);
  else for (const text of unpackLeaves(body)) onLeaf(number, readLeaf(text));
}

async function readTree({ evidence, found }: Reading, { number, root }: Checkpoint): Promise<Tree | null> {
  const treeIn = (body: Buffer) => JSON.parse(body.toString('utf8')) as Tree;
  const body = await findVersion(evidence, treeKey(root), (one) => isTrue(() => treeRoot(treeIn(one)) === root));
  if (body) return treeIn(body);
  found(
    aboutEvidence(
      'evidence-missing',
      `the tree of checkpoint ${number} (${treeKey(root)}) is not there as it was signed`,
    ),
  );
  return null;
}

/** @returns the leaves of a shard; none where they are not there as they were signed, which is found */
export async function readShardLeaves(
  evidence: Evidence,
  root: string,
  found: (finding: Finding) => void,
): Promise<Leaf[]> {
  const body = await findVersion(evidence, shardKey(root), isLeavesOf(root));
  if (body) return unpackLeaves(body).map(readLeaf);
  found(aboutEvidence('evidence-missing', `the shard ${shardKey(root)} is not there as it was signed`));
  return [];
}

function isLeavesOf(root: string): (body: Buffer) => boolean {
  return (body) => isTrue(() => merkleRoot(unpackLeaves(body)) === root);
}

/** Whoever put it there may have put anything. */
function isTrue(test: () => boolean): boolean {
  try {
    return test();
  } catch {
    return false;
  }
}

function aboutEvidence(kind: FindingKind, says: string): Finding {
  return { kind, userId: null, agreementId: null, recordedAt: null, sequence: null, says };
}
