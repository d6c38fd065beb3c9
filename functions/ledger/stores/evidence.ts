import { gunzipSync, gzipSync } from 'node:zlib';
import { findVersion, type Objects } from '../../../lib/runtime/objects.ts';
import { changesKey, importedKey, shardKey, type Tree, treeKey, treeRoot } from '../rules/checkpoint.ts';
import { merkleRoot } from '../rules/merkle.ts';

/**
 * What checkpoints are about, below `ledger/` in the bucket `Evidence`. It is named by its root: whatever else lies under
 * the name, or over it, is not taken.
 */

/** @returns null where it is not there as it was signed */
export async function readTree(evidence: Objects, root: string): Promise<Tree | null> {
  const treeIn = (body: Buffer) => JSON.parse(body.toString('utf8')) as Tree;
  const body = await findVersion(evidence, treeKey(root), (one) => isTrue(() => treeRoot(treeIn(one)) === root));
  return body && treeIn(body);
}

/** @returns the texts of a shard's leaves; null where they are not there as they were signed */
export function readShard(evidence: Objects, root: string): Promise<string[] | null> {
  return readLeaves(evidence, shardKey(root), root);
}

/** The same of what a checkpoint added. */
export function readChanges(evidence: Objects, root: string): Promise<string[] | null> {
  return readLeaves(evidence, changesKey(root), root);
}

/** The same of what an import brought in. */
export function readImported(evidence: Objects, root: string): Promise<string[] | null> {
  return readLeaves(evidence, importedKey(root), root);
}

async function readLeaves(evidence: Objects, key: string, root: string): Promise<string[] | null> {
  const body = await findVersion(evidence, key, (one) => isTrue(() => merkleRoot(unpackLeaves(one)) === root));
  return body && unpackLeaves(body);
}

/** A file of leaves: a line each, compressed. */
export function packLeaves(leaves: readonly string[]): Buffer {
  return gzipSync(leaves.join('\n'));
}

/** @throws an Error for what is no gzip */
function unpackLeaves(body: Buffer): string[] {
  const text = gunzipSync(body).toString('utf8');
  return text === '' ? [] : text.split('\n');
}

/** Whoever put it there may have put anything. */
function isTrue(test: () => boolean): boolean {
  try {
    return test();
  } catch {
    return false;
  }
}
