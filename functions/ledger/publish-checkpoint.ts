import type { KMSClient } from '@aws-sdk/client-kms';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { readCompact } from '../../lib/runtime/jws.ts';
import { signCompact } from '../../lib/runtime/sign.ts';
import {
  type Checkpoint,
  changesKey,
  checkpointKey,
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
import { type Evidence, listKeys, packLeaves, putOnce, readObject, unpackLeaves } from './evidence-store.ts';
import { byKey, leafText, readLeaf, shards } from './leaf.ts';
import { merkleRoot } from './merkle.ts';
import { scanLeaves } from './pointer-store.ts';

export type Publishing = Evidence & {
  readonly dynamo: DynamoDBDocumentClient;
  readonly kms: KMSClient;
  /** `ConsentStates`. */
  readonly table: string;
  readonly keyArn: string;
  readonly environment: string;
  /** Real time. */
  readonly now: () => Date;
};

/** Another run wrote the checkpoint of this number first. */
class NumberTaken extends Error {
  override readonly name = 'NumberTaken';
}

/**
 * Writes the checkpoint that follows the last one: first what it is about, then the signed statement, so that a run that
 * ends in between has said nothing. Leaves are told by what changed since the checkpoint before, too: all that was ever
 * said can then be checked in the time that the records take, and not the checkpoints.
 *
 * @returns figures for the log. `retracted`: leaves of the last checkpoint whose chain is gone, shorter or another by now;
 * erasures make some, and anything else is for verify-ledger to find.
 */
export async function publishCheckpoint(publishing: Publishing) {
  const { environment, now } = publishing;
  const last = await readLast(publishing);
  const byShard = await scanLeaves(publishing.dynamo, publishing.table);
  const at = now().toISOString();
  const tree: Record<string, string> = {};
  const changed: string[] = [];
  const total = { chains: 0, records: 0, retracted: 0, shardsWritten: 0 };
  for (const shard of shards) {
    const leaves = (byShard.get(shard) ?? []).toSorted(byKey);
    byShard.delete(shard);
    const texts = leaves.map(leafText);
    if (leaves.length > 0) tree[shard] = merkleRoot(texts);
    total.chains += leaves.length;
    for (const { sequence } of leaves) total.records += sequence;
    if (tree[shard] === last?.tree[shard]) continue;
    if (tree[shard]) {
      await putOnce(publishing, shardKey(tree[shard]), packLeaves(texts));
      total.shardsWritten += 1;
    }
    if (!last) continue;
    const before = last.tree[shard] ? await readShard(publishing, last.tree[shard]) : [];
    const { added, retracted } = compared(before, texts);
    for (const leaf of added) changed.push(leaf);
    total.retracted += retracted;
  }
  const root = treeRoot(tree);
  if (root !== last?.checkpoint.root) await putOnce(publishing, treeKey(root), JSON.stringify(tree));
  const changes = last ? merkleRoot(changed) : null;
  if (changes !== null) await putOnce(publishing, changesKey(changes), packLeaves(changed));
  const { chains, records } = total;
  const number = (last?.checkpoint.number ?? 0) + 1;
  const checkpoint: Checkpoint = {
    number,
    environment,
    at,
    chains,
    records,
    root,
    changes,
    previous: last?.digest ?? null,
  };
  const { kms, keyArn } = publishing;
  if (!(await putOnce(publishing, checkpointKey(number), await signCompact(kms, keyArn, checkpoint, checkpointType)))) {
    throw new NumberTaken();
  }
  return { number, ...total, changed: changed.length };
}

type Last = { readonly checkpoint: Checkpoint; readonly digest: string; readonly tree: Tree };

/** Whose signature it bears is not asked here: who checks follows the whole chain of them. */
async function readLast(evidence: Evidence): Promise<Last | null> {
  let newest: string | null = null;
  for await (const key of listKeys(evidence, checkpointsPrefix)) if (numberIn(key) !== null) newest = key;
  if (newest === null) return null;
  const jws = (await readObject(evidence, newest))?.toString('utf8') ?? '';
  const checkpoint = readCheckpoint(readCompact(jws)?.payload ?? {});
  if (!checkpoint) throw new Error(`${newest} is no checkpoint`);
  const tree = await readObject(evidence, treeKey(checkpoint.root));
  if (!tree) throw new Error(`the tree of ${newest} is not there`);
  return { checkpoint, digest: digestOf(jws), tree: JSON.parse(tree.toString('utf8')) as Tree };
}

async function readShard(evidence: Evidence, root: string): Promise<string[]> {
  const body = await readObject(evidence, shardKey(root));
  if (!body) throw new Error(`the shard ${root} is not there`);
  return unpackLeaves(body);
}

function compared(before: readonly string[], after: readonly string[]) {
  const old = new Map(before.map((text) => [readLeaf(text).userAgreement, readLeaf(text).sequence]));
  const known = new Set(before);
  const added = after.filter((text) => !known.has(text));
  const kept = after.length - added.length;
  const moved = added.filter((text) => {
    const { userAgreement, sequence } = readLeaf(text);
    return sequence > (old.get(userAgreement) ?? Number.POSITIVE_INFINITY);
  });
  return { added, retracted: before.length - kept - moved.length };
}
